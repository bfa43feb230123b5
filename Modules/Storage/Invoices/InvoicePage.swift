import GRDB

/// A page of a list of invoices.
public struct InvoicePage: Sendable, Equatable {
  /// The invoices, as many as the query's limit allows.
  public let invoices: [StoredInvoice]
  /// The position after which the next page begins, for ``InvoiceQuery/after``; `nil` if this is
  /// the last page, or if the query has no limit.
  public let next: RowPosition?
}

extension LocalDatabase {
  /// Returns a page of the invoices that a query finds, and the position of the next one.
  ///
  /// Read a list of any length page by page, with the position of one page as the next query's
  /// ``InvoiceQuery/after``. Nothing is held between two pages, and each is a moment of its own.
  /// An invoice that is there all the time, and whose place in the order does not change, comes
  /// exactly once, whatever is stored, changed or deleted meanwhile. One whose place changes comes
  /// once, twice or not at all.
  ///
  /// - Throws: ``StorageError``; `CancellationError` if the task is cancelled.
  public func invoicePage(matching query: InvoiceQuery) async throws -> InvoicePage {
    try await read(matching: query) { [pagedKeys] db, query in
      let (invoices, last) = try query.invoices(pagedKeys, db)
      let isLast = query.limit.map { invoices.count < $0 } ?? true
      let next = try last.flatMap { isLast ? nil : try query.position(of: $0, db) }
      return InvoicePage(invoices: invoices, next: next)
    }
  }
}

extension InvoiceQuery {
  /// Finds invoices; returns the row of the last one too.
  func invoices(
    _ pagedKeys: PagedKeys, _ db: Database
  ) throws -> (found: [StoredInvoice], last: Int64?) {
    // SQLite takes milliseconds to read a statement of many parts that have all columns.
    let keys = try pagedKeys.page(of: self, db) ?? (limit == nil ? nil : try keys(db)[...])
    if let page = keys {
      let row = try InvoiceRow(db, self)
      return (try page.compactMap { try row.invoice($0) }, page.last?.row)
    }
    let (sql, arguments) = try statement(db)
    let reader = try InvoiceReader(db, self)
    var last: Int64?
    let found = try db.allRows(sql: sql, arguments: arguments) { values in
      last = values.first
      return try reader.stored(&values)
    }
    return (found, last)
  }

  /// The order as one word: the name of its key, after a minus if the largest come first.
  var order: String { (isAscending ? "" : "-") + sort.rawValue }

  fileprivate func position(of row: Int64, _ db: Database) throws -> RowPosition? {
    let columns = ["row"] + orderTerms.map(\.expression)
    let found = try Row.fetchOne(
      db, sql: "SELECT \(columns.joined(separator: ", ")) FROM invoice WHERE row = ?",
      arguments: [row])
    return found.map {
      RowPosition(order: order, row: row, values: Array($0.databaseValues.dropFirst()))
    }
  }
}
