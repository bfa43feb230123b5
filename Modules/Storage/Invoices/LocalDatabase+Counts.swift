import GRDB

extension LocalDatabase {
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

  /// Returns the number of invoices that a query finds; its limit is ignored.
  ///
  /// - Throws: ``StorageError``.
  public func invoiceCount(matching query: InvoiceQuery) async throws -> Int {
    try await read(matching: query) { db, query in
      let filter = try InvoiceFilter(query, sort: nil, db)
      return try Int.fetchOne(
        db, sql: "SELECT count(*) FROM \(filter.source)\(filter.condition)",
        arguments: filter.arguments) ?? 0
    }
  }
}
