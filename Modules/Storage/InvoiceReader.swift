import GRDB
import Models

/// Makes invoices of rows.
struct InvoiceReader {
  /// An invoice without its lines, and where it is stored.
  struct Head {
    let row: Int64
    let invoice: Invoice
    let deletedAt: Timestamp?
    let deletedReason: String?
    let syncedAt: Timestamp
  }

  private let findHead: Statement
  private let findLines: Statement

  init(_ db: Database) throws {
    findHead = try db.cachedStatement(sql: "SELECT * FROM invoice WHERE account = ? AND id = ?")
    findLines = try db.cachedStatement(
      sql: "SELECT * FROM line WHERE invoice = ? ORDER BY position")
  }

  func head(of id: String, account: Int64) throws -> Head? {
    try Row.fetchOne(findHead, arguments: [account, id]).map(head)
  }

  func lines(ofRow row: Int64) throws -> [InvoiceLine] {
    var lines: [InvoiceLine] = []
    let rows = try Row.fetchCursor(findLines, arguments: [row])
    while let row = try rows.next() {
      lines.append(
        InvoiceLine(
          id: row["id"], description: row["description"],
          quantity: try decimal(row["quantity"]), unitAmount: try decimal(row["unit_amount"]),
          taxType: row["tax_type"], taxAmount: try decimal(row["tax_amount"]),
          lineAmount: try decimal(row["line_amount"]), accountCode: row["account_code"]))
    }
    return lines
  }

  func head(_ row: Row) throws -> Head {
    guard let type = InvoiceType(rawValue: row["type"]),
      let status = InvoiceStatus(rawValue: row["status"]),
      let currency = Currency(code: row["currency"]), let total = try decimal(row["total"])
    else { throw damage }
    return Head(
      row: row["row"],
      invoice: Invoice(
        id: row["id"], number: row["number"], type: type, status: status,
        rawStatus: row["raw_status"],
        contact: Contact(
          id: row["contact_id"], name: row["contact_name"], email: row["contact_email"]),
        currency: currency,
        issueDate: (row["issue_date"] as String?).flatMap(CalendarDate.init),
        dueDate: (row["due_date"] as String?).flatMap(CalendarDate.init),
        updatedAt: Timestamp(microsecondsSinceEpoch: row["updated_at"]),
        subtotal: try decimal(row["subtotal"]), totalTax: try decimal(row["total_tax"]),
        total: total, amountPaid: try decimal(row["amount_paid"]),
        amountCredited: try decimal(row["amount_credited"]),
        amountDue: try decimal(row["amount_due"]), reference: row["reference"]),
      deletedAt: (row["deleted_at"] as Int64?).map(Timestamp.init(microsecondsSinceEpoch:)),
      deletedReason: row["deleted_reason"],
      syncedAt: Timestamp(microsecondsSinceEpoch: row["synced_at"]))
  }

  private func decimal(_ text: String?) throws -> ExactDecimal? {
    guard let text else { return nil }
    guard let value = ExactDecimal(text) else { throw damage }
    return value
  }

  /// Somebody wrote into the file what this program never writes.
  private var damage: DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a value of an invoice cannot be read")
  }
}
