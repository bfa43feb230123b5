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
  private let index: Schema.RecordIndex?
  private let firstPass: FirstPass?
  /// True if the index exists.
  private(set) var exists = true

  /// - Parameters:
  ///   - index: the index; `nil` if the table always has it.
  ///   - firstPass: a pass that can do without it; any other write creates it.
  init(_ db: Database, _ index: Schema.RecordIndex?, _ firstPass: FirstPass?) throws {
    self.db = db
    self.index = index
    self.firstPass = firstPass
    guard let index else { return }
    exists = try RecordIndexes(db: db).exist(index)
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

/// A set of identifiers, each held as a 64-bit hash.
///
/// It says that an identifier is new only if it is: two identifiers with the same hash count as
/// one. It grows a part at a time, so that a million identifiers take some 11 MB at any moment;
/// Swift's `Set` takes up to 25 MB while it grows.
struct IdentifierSet {
  /// Tables with open addressing; zero is an empty place.
  private var parts: [[UInt64]] = Array(repeating: Array(repeating: 0, count: 16), count: 256)
  private var counts: [Int] = Array(repeating: 0, count: 256)

  /// Adds an identifier; returns `false` if the set may have it already.
  mutating func insert(_ id: String) -> Bool {
    var id = id
    let hash = id.withUTF8 { StableHash.value(of: UnsafeRawBufferPointer($0)) }
    let part = Int(hash >> 56)
    if counts[part] * 8 >= parts[part].count * 7 { grow(part) }
    guard Self.insert(max(hash, 1), into: &parts[part]) else { return false }
    counts[part] += 1
    return true
  }

  private mutating func grow(_ part: Int) {
    var larger = [UInt64](repeating: 0, count: parts[part].count * 3 / 2)
    for hash in parts[part] where hash != 0 { _ = Self.insert(hash, into: &larger) }
    parts[part] = larger
  }

  private static func insert(_ hash: UInt64, into table: inout [UInt64]) -> Bool {
    // The first eight bits chose the part.
    var place = Int((hash << 8).multipliedFullWidth(by: UInt64(table.count)).high)
    while table[place] != 0 {
      if table[place] == hash { return false }
      place = place + 1 == table.count ? 0 : place + 1
    }
    table[place] = hash
    return true
  }
}
