import GRDB

extension LocalDatabase {
  /// Hands out the invoices that a query finds, one by one, however many there are, as they were at
  /// one moment.
  ///
  /// - Parameters:
  ///   - query: selects and orders the invoices.
  ///   - body: called on a thread that may block, so a slow caller slows the reading; an error that it
  ///     throws ends the reading.
  /// - Throws: ``StorageError``, and what `body` throws.
  public func forEachInvoice(
    matching query: InvoiceQuery, _ body: @escaping @Sendable (StoredInvoice) throws -> Void
  ) async throws {
    try await read { db in
      let (sql, arguments) = try query.statement(db)
      let reader = try InvoiceReader(db, isWhole: query.includesLines)
      let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments)
      while let row = try rows.next() {
        try body(try Self.stored(row, reader))
      }
    }
  }
}
