import GRDB
import Models

/// The tables that payments are stored in.
enum PaymentTable: RecordTable {
  private enum Child: Int {
    case allocation
  }

  static let name = "payment"
  static let columns = FieldDescription.columns(of: Payment.self)
  static let children = [
    ChildTable(
      name: "payment_allocation", owner: "payment",
      columns: FieldDescription.columns(of: Allocation.self))
  ]

  /// The columns that ``PaymentReader`` reads a payment from.
  static let selected = (["row", "id"] + columns).map { "payment.\($0) AS \($0)" }
    .joined(separator: ", ")

  static let indexes = Schema.paymentIndexes

  static func write(_ payment: inout Payment, to buffer: inout ColumnBuffer) {
    payment.visit(&buffer)
    buffer.append(&payment.allocations, to: Child.allocation)
  }

  static func deletion(of payment: Payment) -> String? {
    payment.status == .deleted ? "status \(payment.rawStatus)" : nil
  }

  static func record(_ row: Int64, _ db: Database) throws -> Payment? {
    let reader = try PaymentReader(db)
    let statement = try BoundStatement(db, "SELECT \(selected) FROM payment WHERE row = ?")
    try statement.bind(row, at: 1)
    return try statement.first { columns in
      var values = RowValues(columns)
      return try reader.payment(&values)
    }
  }
}

/// Creates payments from rows.
struct PaymentReader {
  /// The columns of a stored payment, in the order of ``stored(_:)``.
  static let columns = """
    \(PaymentTable.selected), payment.deleted_at AS deleted_at,
    payment.deleted_reason AS deleted_reason, account.name AS account_name,
    \(contactName) AS shown_contact
    """

  /// The contact's name: as on the payment, else from the list of contacts.
  static let contactName = """
    CASE WHEN payment.contact_name IS NULL THEN (
      SELECT contact.name FROM contact
      WHERE contact.account = payment.account AND contact.id = payment.contact_id)
    ELSE payment.contact_name END
    """

  private let allocations: BoundStatement
  /// The invoice that holds a payment itself.
  private let invoice: BoundStatement
  /// `nil` if the numbers of documents are not wanted.
  private let numbers: DocumentNumbers?

  init(_ db: Database, namesDocuments: Bool = false) throws {
    let child = PaymentTable.children[0]
    allocations = try BoundStatement(
      db,
      """
      SELECT \(child.columns.joined(separator: ", ")) FROM \(child.name)
      WHERE \(child.owner) = ? ORDER BY position
      """)
    numbers = namesDocuments ? try DocumentNumbers(db) : nil
    invoice = try BoundStatement(
      db,
      """
      SELECT NULL, invoice.id, invoice.number, part.date, part.amount
      FROM invoice_payment AS part JOIN invoice ON invoice.row = part.invoice
      WHERE part.invoice = -?1 / 65536 AND part.position = -?1 % 65536
      """)
  }

  /// Reads a payment from the values of ``PaymentTable/selected``.
  func payment(_ row: inout RowValues) throws -> Payment {
    let rowID = try StoredValue.required(row.integer())
    var payment: Payment = try row.record()
    let parts = rowID < 0 ? invoice : allocations
    try parts.bind(rowID, at: 1)
    try parts.forEachRow { columns in
      var values = RowValues(columns)
      payment.allocations.append(try values.record())
    }
    return payment
  }

  func stored(_ row: inout RowValues) throws -> StoredPayment {
    var payment = try payment(&row)
    let (deletedAt, deletedReason) = (row.instant(), row.text())
    let account = try StoredValue.required(row.text())
    payment.contactName = row.text()
    var found: [String: String] = [:]
    if let numbers {
      for part in payment.allocations where part.invoiceNumber == nil {
        found[part.invoiceID] = try numbers.number(of: part.invoiceID, in: account)
      }
    }
    return StoredPayment(
      account: account, payment: payment, deletedAt: deletedAt, deletedReason: deletedReason,
      documentNumbers: found)
  }
}
