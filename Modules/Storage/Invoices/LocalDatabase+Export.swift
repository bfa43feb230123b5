import GRDB

extension LocalDatabase {
  /// Calls a function with each invoice that a query finds, however many, as of one moment.
  ///
  /// - Parameters:
  ///   - query: selects and orders the invoices.
  ///   - body: the function; it runs on a thread that it may block, and the reading waits for it.
  ///     An error that it throws ends the reading.
  /// - Throws: ``StorageError``, and what `body` throws.
  public func forEachInvoice(
    matching query: InvoiceQuery, _ body: @escaping @Sendable (StoredInvoice) throws -> Void
  ) async throws {
    try await read(matching: query) { db, query in
      let (sql, arguments) = try query.statement(db)
      let reader = try InvoiceReader(db, isWhole: query.includesLines)
      try db.forEachRow(sql: sql, arguments: arguments) { row in
        try body(try reader.stored(&row))
      }
    }
  }
}
