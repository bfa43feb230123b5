import GRDB

extension LocalDatabase {
  /// Returns the keys of the invoices that a query finds, in its order.
  ///
  /// A list of any length shows them without holding the invoices: it fetches those that come into
  /// view with ``invoices(withKeys:includesLines:)``. A hundred thousand keys take 800 KB.
  ///
  /// - Throws: ``StorageError``.
  public func invoiceKeys(matching query: InvoiceQuery) async throws -> [InvoiceKey] {
    try await read(matching: query) { db, query in try query.keys(db) }
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
      let row = try InvoiceRow(db, isWhole: includesLines)
      var found: [InvoiceKey: StoredInvoice] = [:]
      for key in keys { found[key] = try row.invoice(key) }
      return found
    }
  }
}
