import GRDB
import Models

/// Makes invoices of rows.
struct InvoiceReader {
  private let lines: Statement
  private let taxes: Statement
  private let payments: Statement
  private let attachments: Statement

  init(_ db: Database) throws {
    func children(_ table: String) throws -> Statement {
      try db.cachedStatement(sql: "SELECT * FROM \(table) WHERE invoice = ? ORDER BY position")
    }
    lines = try children("line")
    taxes = try children("tax_subtotal")
    payments = try children("payment")
    attachments = try children("attachment")
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

  private func readParts(of invoice: Int64, into parts: inout Invoice) throws {
    parts.lines = try all(lines, invoice) { row in
      var line = InvoiceLine(
        id: row["id"], description: row["description"],
        quantity: try decimal(row["quantity"]), unitAmount: try decimal(row["unit_amount"]),
        taxType: row["tax_type"], taxAmount: try decimal(row["tax_amount"]),
        lineAmount: try decimal(row["line_amount"]), accountCode: row["account_code"])
      line.discountAmount = try decimal(row["discount_amount"])
      line.taxRate = try decimal(row["tax_rate"])
      return line
    }
    parts.taxBreakdown = try all(taxes, invoice) { row in
      TaxSubtotal(
        name: row["name"], rate: try decimal(row["rate"]),
        taxableAmount: try decimal(row["taxable_amount"]),
        taxAmount: try required(decimal(row["tax_amount"])))
    }
    parts.payments = try all(payments, invoice) { row in
      Payment(
        id: row["id"], date: day(row["date"]), amount: try required(decimal(row["amount"])),
        reference: row["reference"])
    }
    parts.attachments = try all(attachments, invoice) { row in
      AttachmentReference(
        id: row["id"], fileName: row["file_name"], mediaType: row["media_type"], url: row["url"])
    }
  }

  private func all<Part>(
    _ statement: Statement, _ invoice: Int64, _ read: (Row) throws -> Part
  ) throws -> [Part] {
    var parts: [Part] = []
    let rows = try Row.fetchCursor(statement, arguments: [invoice])
    while let row = try rows.next() { parts.append(try read(row)) }
    return parts
  }

  private func day(_ text: String?) -> CalendarDate? { text.flatMap(CalendarDate.init) }

  private func decimal(_ text: String?) throws -> ExactDecimal? {
    guard let text else { return nil }
    return try required(ExactDecimal(text))
  }

  private func required<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw damage }
    return value
  }

  /// Somebody wrote into the file what this program never writes.
  private var damage: DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a value of an invoice cannot be read")
  }
}
