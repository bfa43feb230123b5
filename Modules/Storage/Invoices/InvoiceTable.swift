import GRDB
import Models

/// The tables that invoices are stored in.
enum InvoiceTable: RecordTable {
  /// The child tables, for values that an invoice has several of, or that few invoices have.
  enum Child: Int, CaseIterable {
    case line
    case taxSubtotal
    case payment
    case attachment
    case party
    case allowanceCharge
    case allocation
    case customField

    fileprivate var table: ChildTable {
      switch self {
      case .line: child("line", of: InvoiceLine.self)
      case .taxSubtotal: child("tax_subtotal", of: TaxSubtotal.self)
      case .payment: child("invoice_payment", of: InvoicePayment.self)
      case .attachment: child("attachment", of: AttachmentReference.self)
      case .party:
        ChildTable(
          name: "party", owner: "invoice",
          columns: FieldDescription.columns(of: Party.self) + InvoiceTable.addressColumns)
      case .allowanceCharge: child("allowance_charge", of: AllowanceCharge.self)
      case .allocation: child("credit_allocation", of: Allocation.self)
      case .customField: child("custom_field", of: CustomField.self)
      }
    }

    private func child<Record: FieldListing>(_ name: String, of _: Record.Type) -> ChildTable {
      ChildTable(
        name: name, owner: "invoice", columns: FieldDescription.columns(of: Record.self))
    }
  }

  static let name = "invoice"
  static let columns = FieldDescription.columns(of: Invoice.self)
  static let children = Child.allCases.map(\.table)
  static let search: SearchIndex? = .invoices
  static let indexes = Schema.invoiceIndexes

  /// The columns of an address, of which the lines are one text; it is `NULL` if there is none.
  static let addressColumns = FieldDescription.columns(of: PostalAddress.self)
    .map { $0 == "lines" ? "address_lines" : $0 }

  static func write(_ invoice: inout Invoice, to buffer: inout ColumnBuffer) {
    invoice.visit(&buffer)
    buffer.append(&invoice.lines, to: Child.line)
    buffer.append(&invoice.taxBreakdown, to: Child.taxSubtotal)
    buffer.append(&invoice.payments, to: Child.payment)
    buffer.append(&invoice.attachments, to: Child.attachment)
    // The invoice row holds all of the contact but its address.
    if invoice.contact.address != nil {
      buffer.append(Party(address: invoice.contact.address), at: 0)
    }
    if let party = invoice.ownParty { buffer.append(party, at: 1) }
    buffer.append(&invoice.allowancesAndCharges, to: Child.allowanceCharge)
    buffer.append(&invoice.allocations, to: Child.allocation)
    buffer.append(&invoice.customFields, to: Child.customField)
  }

  static func deletion(of invoice: Invoice) -> String? {
    invoice.status == .deleted ? "status \(invoice.rawStatus)" : nil
  }

  static func record(_ row: Int64, _ db: Database) throws -> Invoice? {
    let reader = try InvoiceReader(db, isWhole: true)
    let statement = try BoundStatement(db, InvoiceReader.selectRow)
    try statement.bind(row, at: 1)
    return try statement.first { columns in
      var values = RowValues(columns)
      return try reader.invoice(&values)
    }
  }

  fileprivate static func party(_ row: inout RowValues) throws -> Party {
    var party: Party = try row.record()
    party.address = try row.address()
    return party
  }
}

extension ColumnBuffer {
  mutating func append<Element: FieldListing, Child: RawRepresentable<Int>>(
    _ elements: inout [Element], to table: Child
  ) {
    for index in elements.indices {
      beginChild(table, at: index)
      elements[index].visit(&self)
    }
  }

  fileprivate mutating func append(_ party: Party, at position: Int) {
    var party = party
    beginChild(InvoiceTable.Child.party, at: position)
    party.visit(&self)
    append(party.address, columns: InvoiceTable.addressColumns.count)
  }
}

/// Creates invoices from rows.
struct InvoiceReader {
  /// The columns of a stored invoice, in the order of ``stored(_:)``.
  ///
  /// Each has a name, by which queries that are combined are sorted.
  static let columns =
    (own.map { "\(ComputedDue.columns.contains($0) ? Schema.shown($0) : "invoice.\($0)") AS \($0)" }
    + ["account.name AS account_name", shownContact])
    .joined(separator: ", ")

  /// The columns of ``invoice(_:)``, and those after them.
  private static let own =
    ["row", "id"] + InvoiceTable.columns
    + ["synced_at", "deleted_at", "deleted_reason", "first_synced_at"]

  /// Selects one invoice by its row, for ``invoice(_:)``.
  static let selectRow = "SELECT \(own.joined(separator: ", ")) FROM invoice WHERE row = ?"

  /// The contact's name.
  ///
  /// Some providers name the contact of an invoice by identifier only; its name is in the contacts.
  static let contactName = """
    CASE WHEN invoice.contact_name IS NULL THEN (
      SELECT contact.name FROM contact
      WHERE contact.account = invoice.account AND contact.id = invoice.contact_id)
    ELSE invoice.contact_name END
    """
  static let shownContact = "\(contactName) AS shown_contact"

  /// The statement of each child table; `nil` if its rows are not wanted, or there are none.
  private let children: [BoundStatement?]
  private let changedSince: Timestamp?

  init(_ db: Database, _ query: InvoiceQuery) throws {
    try self.init(db, isWhole: query.includesLines, changedSince: query.changedSince)
  }

  /// - Parameters:
  ///   - isWhole: true to read invoices with their child rows and the details of their parties.
  ///   - changedSince: the instant from which ``StoredInvoice/change`` is set; `nil` for never.
  init(_ db: Database, isWhole: Bool, changedSince: Timestamp? = nil) throws {
    self.changedSince = changedSince
    children = try InvoiceTable.children.map { table in
      // An empty table would otherwise be queried in vain for each invoice.
      let isUsed =
        try isWhole
        && Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM \(table.name))"))
          == true
      guard isUsed else { return nil }
      let columns = (["position"] + table.columns).joined(separator: ", ")
      return try BoundStatement(
        db, "SELECT \(columns) FROM \(table.name) WHERE \(table.owner) = ? ORDER BY position")
    }
  }

  /// Reads a stored invoice from the values of ``columns``.
  func stored(_ row: inout RowValues) throws -> StoredInvoice {
    var invoice = try invoice(&row)
    let syncedAt = try StoredValue.required(row.instant())
    let deletedAt = row.instant()
    let deletedReason = row.text()
    let firstSyncedAt = row.instant()
    let account = try StoredValue.required(row.text())
    invoice.contact.name = row.text()
    var stored = StoredInvoice(
      account: account, invoice: invoice, deletedAt: deletedAt, deletedReason: deletedReason,
      syncedAt: syncedAt)
    if let changedSince {
      stored.change =
        deletedAt != nil
        ? .deleted
        : firstSyncedAt.map { $0 >= changedSince } == true
          ? .inserted : .updated
    }
    return stored
  }

  /// Reads an invoice from the values of its row.
  func invoice(_ row: inout RowValues) throws -> Invoice {
    let rowID = try StoredValue.required(row.integer())
    var invoice: Invoice = try row.record()
    try read(.line, of: rowID) { row, _ in invoice.lines.append(try row.record()) }
    try read(.taxSubtotal, of: rowID) { row, _ in invoice.taxBreakdown.append(try row.record()) }
    try read(.payment, of: rowID) { row, _ in invoice.payments.append(try row.record()) }
    try read(.attachment, of: rowID) { row, _ in invoice.attachments.append(try row.record()) }
    try read(.party, of: rowID) { row, position in
      let party = try InvoiceTable.party(&row)
      if position == 0 { invoice.contact.address = party.address } else { invoice.ownParty = party }
    }
    try read(.allowanceCharge, of: rowID) { row, _ in
      invoice.allowancesAndCharges.append(try row.record())
    }
    try read(.allocation, of: rowID) { row, _ in invoice.allocations.append(try row.record()) }
    try read(.customField, of: rowID) { row, _ in invoice.customFields.append(try row.record()) }
    return invoice
  }

  /// Calls a function with each child row of an invoice, and its position.
  private func read(
    _ child: InvoiceTable.Child, of invoice: Int64,
    _ body: (inout RowValues, _ position: Int64) throws -> Void
  ) throws {
    guard let statement = children[child.rawValue] else { return }
    try statement.bind(invoice, at: 1)
    try statement.forEachRow { columns in
      var row = RowValues(columns)
      let position = row.integer() ?? 0
      try body(&row, position)
    }
  }
}

/// Reads single invoices.
struct InvoiceRow {
  private let reader: InvoiceReader
  private let statement: BoundStatement

  init(_ db: Database, _ query: InvoiceQuery) throws {
    try self.init(db, try InvoiceReader(db, query))
  }

  /// Reads whole invoices.
  init(_ db: Database) throws { try self.init(db, try InvoiceReader(db, isWhole: true)) }

  private init(_ db: Database, _ reader: InvoiceReader) throws {
    self.reader = reader
    statement = try BoundStatement(
      db,
      """
      SELECT \(InvoiceReader.columns) FROM invoice
      JOIN account ON account.row = invoice.account WHERE invoice.row = ?
      """)
  }

  /// Returns the invoice with a key; `nil` if it is no longer stored.
  func invoice(_ key: InvoiceKey) throws -> StoredInvoice? { try invoice(row: key.row) }

  /// Returns the invoice of a row; `nil` if there is none.
  func invoice(row: Int64) throws -> StoredInvoice? {
    try statement.bind(row, at: 1)
    return try statement.first { columns in
      var row = RowValues(columns)
      return try reader.stored(&row)
    }
  }
}
