import Foundation
import GRDB
import Models

extension InvoiceDatabase {
  /// Finds invoices.
  ///
  /// - Throws: ``StorageError``.
  public func invoices(matching query: InvoiceQuery) async throws -> [StoredInvoice] {
    let (sql, arguments) = query.statement
    return try await read { db in
      let reader = try InvoiceReader(db)
      return try Row.fetchAll(db, sql: sql, arguments: arguments).map { row in
        try Self.stored(row, reader, withLines: query.includesLines)
      }
    }
  }

  /// Finds one invoice by its identifier, or by its number where that is unique.
  ///
  /// - Throws: ``StorageError``.
  public func invoice(_ idOrNumber: String, account: String?) async throws -> StoredInvoice? {
    try await read { db in
      let reader = try InvoiceReader(db)
      for column in ["id", "number"] {
        let rows = try Row.fetchAll(
          db,
          sql: """
            SELECT invoice.*, account.name AS account_name FROM invoice
            JOIN account ON account.row = invoice.account
            WHERE invoice.\(column) = ? AND (? IS NULL OR account.name = ?) LIMIT 2
            """,
          arguments: [idOrNumber, account, account])
        if let row = rows.first, rows.count == 1 {
          return try Self.stored(row, reader, withLines: true)
        }
      }
      return nil
    }
  }

  /// The latest run of a sync.
  ///
  /// - Throws: ``StorageError``.
  public func lastRun(account: String, resource: String) async throws -> RunRecord? {
    try await read { db in
      try Row.fetchOne(
        db,
        sql: "SELECT * FROM run WHERE account_name = ? AND resource = ? ORDER BY id DESC LIMIT 1",
        arguments: [account, resource]
      ).map { row in
        var counts = ChangeCounts()
        counts.inserted = row["inserted"]
        counts.updated = row["updated"]
        counts.unchanged = row["unchanged"]
        counts.deleted = row["deleted"]
        func instant(_ column: String) -> Timestamp? {
          (row[column] as Int64?).map(Timestamp.init(microsecondsSinceEpoch:))
        }
        return RunRecord(
          result: RunRecord.Result(rawValue: row["result"]) ?? .interrupted,
          provider: row["provider"],
          startedAt: Timestamp(microsecondsSinceEpoch: row["started_at"]),
          endedAt: instant("ended_at"), counts: counts, pages: row["pages"],
          watermarkBefore: instant("watermark_before"), watermarkAfter: instant("watermark_after"))
      }
    }
  }

  /// How many invoices there are, void and deleted ones included.
  ///
  /// - Throws: ``StorageError``.
  public func count(account: String?) async throws -> Int {
    try await read { db in
      try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM invoice JOIN account ON account.row = invoice.account
          WHERE ? IS NULL OR account.name = ?
          """, arguments: [account, account]) ?? 0
    }
  }

  /// Counts and exact sums by status, type and currency.
  ///
  /// - Throws: ``StorageError``.
  public func totals(account: String?) async throws -> [InvoiceTotals] {
    try await read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT status, type, currency, count(*) AS count, decimal_sum(total) AS total,
            decimal_sum(amount_due) AS due
          FROM invoice JOIN account ON account.row = invoice.account
          WHERE ? IS NULL OR account.name = ?
          GROUP BY status, type, currency ORDER BY status, type, currency
          """, arguments: [account, account]
      ).compactMap { row in
        guard let status = InvoiceStatus(rawValue: row["status"]),
          let type = InvoiceType(rawValue: row["type"]),
          let currency = Currency(code: row["currency"]), let total = ExactDecimal(row["total"]),
          let due = ExactDecimal(row["due"])
        else { return nil }
        return InvoiceTotals(
          status: status, type: type, currency: currency, count: row["count"], total: total,
          amountDue: due)
      }
    }
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await StorageError.translating(path) { try await pool.read(body) }
  }

  private static func stored(
    _ row: Row, _ reader: InvoiceReader, withLines: Bool
  ) throws -> StoredInvoice {
    let head = try reader.head(row)
    var invoice = head.invoice
    if withLines { invoice.lines = try reader.lines(ofRow: head.row) }
    return StoredInvoice(
      account: row["account_name"], invoice: invoice, deletedAt: head.deletedAt,
      deletedReason: head.deletedReason, syncedAt: head.syncedAt)
  }
}

extension InvoiceQuery {
  fileprivate var statement: (sql: String, arguments: StatementArguments) {
    var conditions: [String] = []
    var arguments = StatementArguments()
    func require(_ condition: String, _ values: StatementArguments) {
      conditions.append(condition)
      arguments += values
    }
    if let account { require("account.name = ?", [account]) }
    if let statuses {
      let names = statuses.map(\.rawValue).sorted()
      require(
        "status IN (\(names.map { _ in "?" }.joined(separator: ", ")))", StatementArguments(names))
    }
    if !includesVoidAndDeleted {
      require("status NOT IN ('void', 'deleted') AND deleted_at IS NULL", [])
    }
    if let contact {
      require("(contact_id = ? OR instr(lower(contact_name), lower(?)) > 0)", [contact, contact])
    }
    if let issuedFrom { require("issue_date >= ?", [issuedFrom.description]) }
    if let issuedThrough { require("issue_date <= ?", [issuedThrough.description]) }
    let direction = isAscending ? "ASC" : "DESC"
    var sql = """
      SELECT invoice.*, account.name AS account_name FROM invoice
      JOIN account ON account.row = invoice.account
      """
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    // The row ends ties, so that two calls give the same order.
    sql += " ORDER BY \(sort.column) \(direction), invoice.row \(direction)"
    if let limit {
      sql += " LIMIT ?"
      arguments += [limit]
    }
    return (sql, arguments)
  }
}

extension InvoiceQuery.Sort {
  fileprivate var column: String {
    switch self {
    case .issueDate: "issue_date"
    case .dueDate: "due_date"
    case .updatedAt: "updated_at"
    case .total: "total COLLATE decimal"
    case .number: "number"
    case .contact: "contact_name"
    }
  }
}
