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
    var invoice = try reader.invoice(row)
    invoice.contact.name = row["shown_contact"]
    return StoredInvoice(
      account: row["account_name"], invoice: invoice,
      deletedAt: (row["deleted_at"] as Int64?).map(Timestamp.init(microsecondsSinceEpoch:)),
      deletedReason: row["deleted_reason"],
      syncedAt: Timestamp(microsecondsSinceEpoch: row["synced_at"]))
  }
}
