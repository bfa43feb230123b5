import GRDB
import Synchronization

/// The key of a stored invoice, with which a list fetches what it shows.
///
/// It is valid in the database that returned it, until the records of its account are forgotten.
public struct InvoiceKey: Sendable, Hashable {
  let row: Int64
}

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
  ///   - includesLines: true to read lines and all else that ``InvoiceQuery/includesLines`` names,
  ///     and ``StoredInvoice/balance``.
  /// - Throws: ``StorageError``.
  public func invoices(
    withKeys keys: some Collection<InvoiceKey> & Sendable, includesLines: Bool = false
  ) async throws -> [InvoiceKey: StoredInvoice] {
    try await read { db in
      var query = InvoiceQuery()
      query.includesLines = includesLines
      let row = try InvoiceRow(db, query)
      let balances = includesLines ? try BalanceReader(db) : nil
      var found: [InvoiceKey: StoredInvoice] = [:]
      for key in keys {
        guard var stored = try row.invoice(key) else { continue }
        stored.balance = try balances?.balance(of: stored)
        found[key] = stored
      }
      return found
    }
  }
}

/// Finds pages of invoices that are not the first, with the keys of the invoices around them.
///
/// SQLite walks over all rows before a page. So a page also reads the keys of the rows after it, as
/// many as it skips. The next pages find theirs there, unless the database has changed meanwhile. A
/// program that reads a list page by page thus walks over it about twice, however small the pages.
final class PagedKeys: Sendable {
  private struct List {
    /// The query without its page.
    let query: InvoiceQuery
    let version: DatabaseVersion
    /// The number of invoices before the first key.
    let start: Int
    let keys: [InvoiceKey]
    /// True if no invoice follows the last key.
    let isLast: Bool

    /// Returns a page; `nil` if other keys are needed.
    func page(from offset: Int, limit: Int) -> ArraySlice<InvoiceKey>? {
      let first = offset - start
      guard first >= 0, isLast || limit <= keys.count - first else { return nil }
      return keys.dropFirst(first).prefix(limit)
    }
  }

  /// The lists that were read last, the newest at the end.
  private let lists = Mutex<[List]>([])
  /// As many as the pool has readers.
  private static let mostLists = 4

  /// Returns the keys of a query's page; `nil` if it is the first page, or if there are no pages.
  func page(of query: InvoiceQuery, _ db: Database) throws -> ArraySlice<InvoiceKey>? {
    guard let limit = query.limit, limit >= 0, query.offset > 0 else { return nil }
    var whole = query
    (whole.offset, whole.limit, whole.includesLines) = (0, nil, true)
    let version = try DatabaseVersion(db)
    let known = lists.withLock { lists in
      lists.first { $0.query == whole && $0.version == version }
    }
    if let page = known?.page(from: query.offset, limit: limit) { return page }
    var wanted = query
    wanted.limit = max(limit, query.offset)
    let keys = try wanted.keys(db)
    let list = List(
      query: whole, version: version, start: query.offset, keys: keys,
      isLast: keys.count < max(limit, query.offset))
    lists.withLock { lists in
      lists.removeAll { $0.query == whole && $0.version.connection == version.connection }
      lists.append(list)
      lists = lists.suffix(Self.mostLists)
    }
    return list.page(from: query.offset, limit: limit)
  }
}
