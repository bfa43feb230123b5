import GRDB
import Models

/// Creates invoices from rows.
struct InvoiceReader {
  /// The columns of a stored invoice, in the order of ``stored(_:)``.
  ///
  /// Each has a name, by which queries that are combined are sorted.
  static let columns =
    (own.map { "invoice.\($0) AS \($0)" } + ["account.name AS account_name", shownContact])
    .joined(separator: ", ")

  /// The columns of ``invoice(_:)``, and those after them.
  private static let own =
    ["row", "id"] + InvoiceTable.columns + ["synced_at", "deleted_at", "deleted_reason"]

  /// Selects one invoice by its row, for ``invoice(_:)``.
  static let selectRow = "SELECT \(own.joined(separator: ", ")) FROM invoice WHERE row = ?"

  /// The contact's name.
  ///
  /// Some providers name the contact of an invoice by identifier only; its name is in the contacts.
  static let shownContact = """
    CASE WHEN invoice.contact_name IS NULL THEN (
      SELECT contact.name FROM contact
      WHERE contact.account = invoice.account AND contact.id = invoice.contact_id)
    ELSE invoice.contact_name END AS shown_contact
    """

  private let parts: InvoicePartReader?

  /// - Parameter isWhole: true to read invoices with their child rows and the details of their
  ///   parties.
  init(_ db: Database, isWhole: Bool) throws {
    parts = isWhole ? try InvoicePartReader(db) : nil
  }

  /// Reads a stored invoice from the values of ``columns``.
  func stored(_ row: inout RowValues) throws -> StoredInvoice {
    var invoice = try invoice(&row)
    let syncedAt = try StoredValue.required(row.instant())
    let deletedAt = row.instant()
    let deletedReason = row.text()
    let account = try StoredValue.required(row.text())
    invoice.contact.name = row.text()
    return StoredInvoice(
      account: account, invoice: invoice, deletedAt: deletedAt, deletedReason: deletedReason,
      syncedAt: syncedAt)
  }

  /// Reads an invoice from the values of its row, in the order in which ``InvoiceTable`` writes
  /// them.
  func invoice(_ row: inout RowValues) throws -> Invoice {
    let rowID = try StoredValue.required(row.integer())
    let id = try StoredValue.required(row.text())
    let number = row.text()
    var invoice = Invoice(
      id: id, type: try row.word(), status: try row.word(),
      rawStatus: try StoredValue.required(row.text()), currency: .placeholder, total: .zero)
    invoice.number = number
    invoice.contact.id = row.text()
    invoice.contact.name = row.text()
    invoice.contact.email = row.text()
    invoice.contact.taxNumber = row.text()
    invoice.currency = try StoredValue.required(row.text().flatMap(Currency.init(code:)))
    invoice.issueDate = row.day()
    invoice.dueDate = row.day()
    invoice.periodStart = row.day()
    invoice.periodEnd = row.day()
    invoice.updatedAt = row.instant()
    invoice.version = row.integer()
    invoice.lineTotal = try row.decimal()
    invoice.allowanceTotal = try row.decimal()
    invoice.chargeTotal = try row.decimal()
    invoice.subtotal = try row.decimal()
    invoice.totalTax = try row.decimal()
    invoice.total = try StoredValue.required(row.decimal())
    invoice.amountPaid = try row.decimal()
    invoice.amountCredited = try row.decimal()
    invoice.roundingAmount = try row.decimal()
    invoice.amountDue = try row.decimal()
    invoice.reference = row.text()
    invoice.orderNumber = row.text()
    invoice.linesIncludeTax = row.flag()
    try parts?.read(rowID, into: &invoice)
    return invoice
  }
}
