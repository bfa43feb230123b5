import GRDB

extension LocalDatabase {
  /// Returns the numbers of an account's invoices that start with a text, in their order.
  ///
  /// - Throws: ``StorageError``.
  public func invoiceNumbers(
    startingWith prefix: String, account: String, limit: Int
  ) async throws -> [String] {
    try await read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT number FROM invoice
          WHERE account = (SELECT row FROM account WHERE name = ?)
            AND number >= ? AND number < ? AND deleted_at IS NULL
          ORDER BY number LIMIT ?
          """, arguments: [account, prefix, prefix + "\u{10FFFF}", limit])
    }
  }
}
