import GRDB
import Models

/// Creates invoices from rows.
struct InvoiceReader {
  /// The columns of a stored invoice.
  static let columns = "invoice.*, account.name AS account_name, " + shownContact

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

  func invoice(_ row: Row) throws -> Invoice {
    func decimal(_ column: String) throws -> ExactDecimal? {
      try StoredValue.decimal(row[column])
    }
    func day(_ column: String) -> CalendarDate? { StoredValue.day(row[column]) }
    guard let type = InvoiceType(rawValue: row["type"]),
      let status = InvoiceStatus(rawValue: row["status"]),
      let currency = Currency(code: row["currency"]), let total = try decimal("total")
    else { throw StoredValue.damage }
    var invoice = Invoice(
      id: row["id"], number: row["number"], type: type, status: status,
      rawStatus: row["raw_status"],
      contact: Party(
        id: row["contact_id"], name: row["contact_name"], email: row["contact_email"],
        taxNumber: row["contact_tax_number"]),
      currency: currency, issueDate: day("issue_date"), dueDate: day("due_date"),
      updatedAt: (row["updated_at"] as Int64?).map(Timestamp.init(microsecondsSinceEpoch:)),
      subtotal: try decimal("subtotal"), totalTax: try decimal("total_tax"),
      total: total, amountPaid: try decimal("amount_paid"),
      amountCredited: try decimal("amount_credited"),
      amountDue: try decimal("amount_due"), reference: row["reference"])
    invoice.version = row["version"]
    invoice.periodStart = day("period_start")
    invoice.periodEnd = day("period_end")
    invoice.lineTotal = try decimal("line_total")
    invoice.allowanceTotal = try decimal("allowance_total")
    invoice.chargeTotal = try decimal("charge_total")
    invoice.roundingAmount = try decimal("rounding_amount")
    invoice.orderNumber = row["order_number"]
    invoice.linesIncludeTax = row["lines_include_tax"]
    try parts?.read(row["row"], into: &invoice)
    return invoice
  }
}
