import GRDB

extension LocalDatabase {
  /// Returns the keys of the invoices that a query finds, in its order.
  ///
  /// A list of any length shows them without holding the invoices: it fetches those that come into
  /// view with ``invoices(withKeys:includesLines:)``. A hundred thousand keys take 800 KB.
  ///
  /// - Throws: ``StorageError``.
  public func invoiceKeys(matching query: InvoiceQuery) async throws -> [InvoiceKey] {
    try await read(matching: query) { db, query in
      let (sql, arguments) = try query.statement(db, selecting: query.keyColumns)
      let rows = try Int64.fetchCursor(db, sql: sql, arguments: arguments)
      var keys: [InvoiceKey] = []
      while let row = try rows.next() { keys.append(InvoiceKey(row: row)) }
      return keys
    }
  }

  /// Finds the invoices with given keys; one that is no longer stored is missing in the result.
  ///
  /// - Parameters:
  ///   - keys: the keys, such as a page of a list.
  ///   - includesLines: true to read lines and all else that ``InvoiceQuery/includesLines`` names.
  /// - Throws: ``StorageError``.
  public func invoices(
    withKeys keys: some Collection<InvoiceKey> & Sendable, includesLines: Bool = false
  ) async throws -> [InvoiceKey: StoredInvoice] {
    try await read { db in
      let reader = try InvoiceReader(db, isWhole: includesLines)
      let statement = try BoundStatement(
        db,
        """
        SELECT \(InvoiceReader.columns) FROM invoice
        JOIN account ON account.row = invoice.account WHERE invoice.row = ?
        """)
      var found: [InvoiceKey: StoredInvoice] = [:]
      for key in keys {
        try statement.bind(key.row, at: 1)
        found[key] = try statement.first { columns in
          var row = RowValues(columns)
          return try reader.stored(&row)
        }
      }
      return found
    }
  }
}
