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
    try await read(matching: query) { [pagedKeys] db, query in
      if let page = try pagedKeys.page(of: query, db) {
        let row = try InvoiceRow(db, isWhole: query.includesLines)
        return try page.compactMap { try row.invoice($0) }
      }
      let (sql, arguments) = try query.statement(db)
      let reader = try InvoiceReader(db, isWhole: query.includesLines)
      return try db.allRows(sql: sql, arguments: arguments) { try reader.stored(&$0) }
    }
  }

  /// Returns counts and exact sums by status, type and currency, of the invoices that the provider
  /// still lists.
  ///
  /// - Throws: ``StorageError``.
  public func invoiceTotals(account: String?) async throws -> [InvoiceTotals] {
    let found = try await read { db in
      var statuses = GroupedSums<InvoiceStatus>()
      try db.forEachRow(
        sql: """
          SELECT \(GroupedSums<InvoiceStatus>.columns(account: "''", due: "amount_due")), status
          FROM invoice JOIN account ON account.row = invoice.account
          WHERE (? IS NULL OR account.name = ?) AND (deleted_at IS NULL OR status = 'deleted')
          """, arguments: [account, account]
      ) { row in try statuses.add(&row) { row, _ in try row.word() } }
      return statuses.sums
    }
    return found.map { key, sums in
      InvoiceTotals(
        status: key.group, type: key.type, currency: key.currency, count: sums.count,
        total: sums.total, amountDue: sums.amountDue)
    }.sorted { left, right in
      (left.status.rawValue, left.type.rawValue, left.currency.code)
        < (right.status.rawValue, right.type.rawValue, right.currency.code)
    }
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await StorageError.translating(path) {
      isInMemory ? try await useMemory(body) : try await pool.read(body)
    }
  }
}
