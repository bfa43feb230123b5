import GRDB
import Models

/// Writes invoices of one account inside one transaction.
struct InvoiceWriter {
  private let db: Database
  private let account: Int64
  private let instant: Timestamp
  private let reader: InvoiceReader
  private let insert: Statement
  private let update: Statement
  private let deleteLines: Statement
  private let insertLine: Statement

  private static let columns = [
    "account", "id", "number", "type", "status", "raw_status", "contact_id", "contact_name",
    "contact_email", "currency", "issue_date", "due_date", "updated_at", "subtotal", "total_tax",
    "total", "amount_paid", "amount_credited", "amount_due", "reference", "synced_at",
    "deleted_at", "deleted_reason",
  ]

  init(_ db: Database, account: Int64, instant: Timestamp) throws {
    self.db = db
    self.account = account
    self.instant = instant
    reader = try InvoiceReader(db)
    let names = Self.columns.joined(separator: ", ")
    let marks = Self.columns.map { _ in "?" }.joined(separator: ", ")
    insert = try db.cachedStatement(sql: "INSERT INTO invoice (\(names)) VALUES (\(marks))")
    let changes = Self.columns.map { "\($0) = ?" }.joined(separator: ", ")
    update = try db.cachedStatement(sql: "UPDATE invoice SET \(changes) WHERE row = ?")
    deleteLines = try db.cachedStatement(sql: "DELETE FROM line WHERE invoice = ?")
    insertLine = try db.cachedStatement(
      sql: """
        INSERT INTO line (invoice, position, id, description, quantity, unit_amount, tax_type,
          tax_amount, line_amount, account_code) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
  }

  /// Stores an invoice where it is new or has changed, and counts what it was.
  mutating func apply(_ invoice: Invoice, _ counts: inout ChangeCounts) throws {
    guard let stored = try reader.head(of: invoice.id, account: account) else {
      try insert.execute(arguments: arguments(for: invoice, deletedAt: nil))
      try writeLines(of: invoice, row: db.lastInsertedRowID)
      counts.inserted += 1
      return
    }
    guard invoice.updatedAt >= stored.invoice.updatedAt, try hasChanged(invoice, stored) else {
      counts.unchanged += 1
      return
    }
    try update.execute(
      arguments: arguments(for: invoice, deletedAt: stored.deletedAt) + [stored.row])
    try deleteLines.execute(arguments: [stored.row])
    try writeLines(of: invoice, row: stored.row)
    if invoice.status == .deleted, stored.deletedAt == nil {
      counts.deleted += 1
    } else {
      counts.updated += 1
    }
  }

  /// Compares digit by digit: a total of `1.0` that becomes `1.00` has changed as text.
  ///
  /// The lines are looked at only where the head is the same.
  private func hasChanged(_ invoice: Invoice, _ stored: InvoiceReader.Head) throws -> Bool {
    let new = arguments(for: invoice, deletedAt: stored.deletedAt)
    let old = arguments(for: stored.invoice, deletedAt: stored.deletedAt)
    if new != old { return true }
    let lines = try reader.lines(ofRow: stored.row)
    return lines.map(lineArguments) != invoice.lines.map(lineArguments)
  }

  private func arguments(for invoice: Invoice, deletedAt: Timestamp?) -> StatementArguments {
    let isDeleted = invoice.status == .deleted
    return [
      account, invoice.id, invoice.number, invoice.type.rawValue, invoice.status.rawValue,
      invoice.rawStatus, invoice.contact.id, invoice.contact.name, invoice.contact.email,
      invoice.currency.code, invoice.issueDate?.description, invoice.dueDate?.description,
      invoice.updatedAt.microsecondsSinceEpoch, invoice.subtotal?.description,
      invoice.totalTax?.description, invoice.total.description, invoice.amountPaid?.description,
      invoice.amountCredited?.description, invoice.amountDue?.description, invoice.reference,
      instant.microsecondsSinceEpoch,
      isDeleted ? (deletedAt ?? instant).microsecondsSinceEpoch : nil,
      isDeleted ? "status \(invoice.rawStatus)" : nil,
    ]
  }

  private func writeLines(of invoice: Invoice, row: Int64) throws {
    for (position, line) in invoice.lines.enumerated() {
      try insertLine.execute(arguments: [row, position] + lineArguments(line))
    }
  }

  private func lineArguments(_ line: InvoiceLine) -> StatementArguments {
    [
      line.id, line.description, line.quantity?.description, line.unitAmount?.description,
      line.taxType, line.taxAmount?.description, line.lineAmount?.description, line.accountCode,
    ]
  }
}
