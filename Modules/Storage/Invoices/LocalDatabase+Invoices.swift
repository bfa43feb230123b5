import Foundation
import GRDB
package import Models

extension LocalDatabase {
  /// The store of invoices, for their sync.
  package var invoiceStore: ResourceStore<Invoice> {
    ResourceStore(database: self, resource: .invoices, table: InvoiceTable.self)
  }

  /// Finds invoices.
  ///
  /// - Throws: ``StorageError``.
  public func invoices(matching query: InvoiceQuery) async throws -> [StoredInvoice] {
    try await read(matching: query) { db, query in
      let (sql, arguments) = try query.statement(db)
      let reader = try InvoiceReader(db, isWhole: query.includesLines)
      return try Row.fetchAll(db, sql: sql, arguments: arguments).map { row in
        try Self.stored(row, reader)
      }
    }
  }

  /// Finds one invoice by its identifier, or by its number where that is unique.
  ///
  /// - Throws: ``StorageError``.
  public func invoice(_ idOrNumber: String, account: String?) async throws -> StoredInvoice? {
    let found = try await invoices(named: idOrNumber, account: account)
    return found.count == 1 ? found.first : nil
  }

  /// Finds the invoices with an identifier, or else those with a number.
  ///
  /// If there are several, such as a document that was created again, deleted ones are left out
  /// unless all are deleted.
  ///
  /// - Returns: at most ten invoices.
  /// - Throws: ``StorageError``.
  public func invoices(
    named idOrNumber: String, account: String?
  ) async throws -> [StoredInvoice] {
    try await read { db in
      let reader = try InvoiceReader(db, isWhole: true)
      for column in ["id", "number"] {
        let rows = try Row.fetchAll(
          db, sql: Self.statement(of: column), arguments: [idOrNumber, account, account])
        let found = try rows.map { try Self.stored($0, reader) }
        let live = found.filter { $0.deletedAt == nil }
        if !found.isEmpty { return live.isEmpty ? found : live }
      }
      return []
    }
  }

  /// Returns the statement that finds invoices by the value of a column, in each account or in one.
  static func statement(of column: String) -> String {
    """
    SELECT invoice.*, account.name AS account_name FROM account
    CROSS JOIN invoice ON invoice.account = account.row
    WHERE invoice.\(column) = ? AND (? IS NULL OR account.name = ?) LIMIT 10
    """
  }

  /// Returns the number of invoices, void and deleted ones included.
  ///
  /// - Throws: ``StorageError``.
  public func invoiceCount(account: String?) async throws -> Int {
    try await read { db in
      try Int.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT count(*) FROM invoice JOIN account ON account.row = invoice.account
            WHERE ? IS NULL OR account.name = ?
            """), arguments: [account, account]) ?? 0
    }
  }

  /// Returns counts and exact sums by status, type and currency, of the invoices that the provider
  /// still lists.
  ///
  /// - Throws: ``StorageError``.
  public func invoiceTotals(account: String?) async throws -> [InvoiceTotals] {
    try await read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT status, type, currency, count(*) AS count, decimal_sum(total) AS total,
            decimal_sum(amount_due) AS due
          FROM invoice JOIN account ON account.row = invoice.account
          WHERE (? IS NULL OR account.name = ?) AND (deleted_at IS NULL OR status = 'deleted')
          GROUP BY status, type, currency ORDER BY status, type, currency
          """, arguments: [account, account]
      ).compactMap { row in
        guard let status = InvoiceStatus(rawValue: row["status"]),
          let type = InvoiceType(rawValue: row["type"]),
          let currency = Currency(code: row["currency"]), let total = DecimalSum(row["total"]),
          let due = DecimalSum(row["due"])
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
    try await StorageError.translating(path) {
      isInMemory ? try await useMemory(body) : try await pool.read(body)
    }
  }

  static func stored(_ row: Row, _ reader: InvoiceReader) throws -> StoredInvoice {
    StoredInvoice(
      account: row["account_name"], invoice: try reader.invoice(row),
      deletedAt: (row["deleted_at"] as Int64?).map(Timestamp.init(microsecondsSinceEpoch:)),
      deletedReason: row["deleted_reason"],
      syncedAt: Timestamp(microsecondsSinceEpoch: row["synced_at"]))
  }
}
