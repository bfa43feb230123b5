import GRDB
import Models

/// Makes invoices of rows.
struct InvoiceReader {
  let lines: Statement?
  let taxes: Statement?
  let payments: Statement?
  let attachments: Statement?
  let parties: Statement?
  let allowancesAndCharges: Statement?

  init(_ db: Database) throws {
    /// `nil` of a table that nobody has anything in: of many invoices, each would be asked for in vain.
    func children(_ table: String) throws -> Statement? {
      let isUsed = try Bool.fetchOne(
        db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM \(table))"))
      guard isUsed == true else { return nil }
      return try db.cachedStatement(
        sql: "SELECT * FROM \(table) WHERE invoice = ? ORDER BY position")
    }
    lines = try children("line")
    taxes = try children("tax_subtotal")
    payments = try children("payment")
    attachments = try children("attachment")
    parties = try children("party")
    allowancesAndCharges = try children("allowance_charge")
  }

  /// An invoice, with or without what it has several of.
  func invoice(_ row: Row, isWhole: Bool) throws -> Invoice {
    guard let type = InvoiceType(rawValue: row["type"]),
      let status = InvoiceStatus(rawValue: row["status"]),
      let currency = Currency(code: row["currency"]), let total = try decimal(row["total"])
    else { throw damage }
    var invoice = Invoice(
      id: row["id"], number: row["number"], type: type, status: status,
      rawStatus: row["raw_status"],
      contact: Party(
        id: row["contact_id"], name: row["contact_name"], email: row["contact_email"],
        taxNumber: row["contact_tax_number"]),
      currency: currency, issueDate: day(row["issue_date"]), dueDate: day(row["due_date"]),
      updatedAt: (row["updated_at"] as Int64?).map(Timestamp.init(microsecondsSinceEpoch:)),
      subtotal: try decimal(row["subtotal"]), totalTax: try decimal(row["total_tax"]),
      total: total, amountPaid: try decimal(row["amount_paid"]),
      amountCredited: try decimal(row["amount_credited"]),
      amountDue: try decimal(row["amount_due"]), reference: row["reference"])
    invoice.version = row["version"]
    invoice.periodStart = day(row["period_start"])
    invoice.periodEnd = day(row["period_end"])
    invoice.lineTotal = try decimal(row["line_total"])
    invoice.allowanceTotal = try decimal(row["allowance_total"])
    invoice.chargeTotal = try decimal(row["charge_total"])
    invoice.roundingAmount = try decimal(row["rounding_amount"])
    invoice.orderNumber = row["order_number"]
    invoice.linesIncludeTax = row["lines_include_tax"]
    if isWhole { try readParts(of: row["row"], into: &invoice) }
    return invoice
  }

  func day(_ text: String?) -> CalendarDate? { text.flatMap(CalendarDate.init) }

  func decimal(_ text: String?) throws -> ExactDecimal? {
    guard let text else { return nil }
    return try required(ExactDecimal(text))
  }

  func required<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw damage }
    return value
  }

  /// Somebody wrote into the file what this program never writes.
  private var damage: DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a value of an invoice cannot be read")
  }
}
