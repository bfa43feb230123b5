import GRDB
import Synchronization

/// The identifiers that a first pass has stored: of a table that was empty when the pass began, the
/// pass knows every one.
final class FirstPass: Sendable {
  private let identifiers = Mutex(IdentifierSet())

  /// Notes an identifier; returns `false` if it may be stored already.
  ///
  /// An identifier of a transaction that was rolled back counts as stored.
  func insert(_ id: String) -> Bool { identifiers.withLock { $0.insert(id) } }
}

/// The index that finds a record by its identifier, inside a transaction.
///
/// Identifiers are random, so each new one changes another page of the index; a first pass of
/// 100 000 records spends a fifth of its writing on it. The pass therefore stores without the index
/// as long as it knows that every record is new, and the index is created in one piece.
struct IdentifierIndex {
  private let db: Database
  private let index: Schema.InvoiceIndex?
  private let firstPass: FirstPass?
  /// True if the index exists.
  private(set) var exists = true

  /// - Parameters:
  ///   - index: the index; `nil` if the table always has it.
  ///   - firstPass: a pass that can do without it; any other write creates it.
  init(_ db: Database, _ index: Schema.InvoiceIndex?, _ firstPass: FirstPass?) throws {
    self.db = db
    self.index = index
    self.firstPass = firstPass
    guard let index else { return }
    exists = try InvoiceIndexes(db: db).exist(index)
    if firstPass == nil { try require() }
  }

  /// Returns whether a record is certainly not stored; it counts as stored then.
  func isNew(_ id: String) -> Bool { !exists && firstPass?.insert(id) == true }

  /// Creates the index if it does not exist.
  mutating func require() throws {
    guard !exists, let index else { return }
    try db.execute(sql: index.sql)
    exists = true
  }
}
