import Dispatch
import GRDB
import Synchronization

/// The words of the rows after another one that the search index lacks, as of one moment.
struct WordBatch: Sendable {
  /// The number of bytes after which they end: as many as FTS5 collects before it writes them.
  ///
  /// It writes out everything whenever a smaller key follows, so the keys of more words would have
  /// to be sorted, and nothing would be gained.
  private static let size = 5 << 19
  private static let index = SearchIndex.invoices

  private struct Entry {
    let key: Int64
    let values: ColumnBuffer.Parts
  }

  /// The row after which they begin.
  let start: Int64
  /// The last of their rows; ``start`` if there are none.
  let end: Int64
  /// The number of the last change before they were read.
  let change: Int64
  private var buffer = ColumnBuffer()
  private var entries: [Entry] = []

  /// Reads them, inside a transaction.
  init(after row: Int64, _ db: Database) throws {
    start = row
    change = try ChangeCounter(db: db).last()
    var last = row
    let statement = try db.cachedStatement(
      sql: """
        SELECT row, search_key, \(Self.index.columnList) FROM \(Self.index.view)
        WHERE row > ? ORDER BY row
        """)
    // A buffer that grows takes up to three times as much.
    buffer.reserve(bytes: Self.size + Self.size / 16)
    let cursor = try Row.fetchCursor(statement, arguments: [row])
    let columns = ColumnReader(statement)
    while buffer.byteCount < Self.size, try cursor.next() != nil {
      last = columns.integer(at: 0) ?? last
      let values = buffer.write { buffer in
        for column in Self.index.columns.indices {
          columns.withText(at: Int32(column) + 2) { buffer.append($0) } ?? buffer.appendNull()
        }
      }
      entries.append(Entry(key: columns.integer(at: 1) ?? 0, values: values))
    }
    end = last
    entries.sort { $0.key < $1.key }
  }

  /// Reads them with a connection of a pool.
  static func read(after row: Int64, from database: any DatabaseReader) throws -> WordBatch {
    try database.read { db in
      // A scan needs no page twice.
      try db.execute(sql: "PRAGMA cache_size = -256")
      defer { try? db.execute(sql: LocalDatabase.cacheSize) }
      return try WordBatch(after: row, db)
    }
  }

  var count: Int { entries.count }

  /// Adds them to the index.
  func add(to db: Database) throws {
    let insert = try BoundStatement(db, Self.index.insert)
    try buffer.withBytes { bytes in
      for entry in entries {
        try insert.bind(entry.key, at: 1)
        try buffer.bind(entry.values.columns, in: bytes, to: insert, from: 2)
        try insert.run()
      }
    }
  }
}

/// A thread that reads the words of the next rows while the caller's adds those before to the
/// index.
final class WordBatchReader: Sendable {
  private let database: any DatabaseReader
  private let ahead = Mutex<WordBatch?>(nil)
  private let queue = DispatchQueue(label: "appcore.search")

  /// - Parameter database: a pool, of which it takes a connection of its own.
  init(_ database: any DatabaseReader) { self.database = database }

  /// Waits until it reads no more: whoever closes the pool meanwhile would end the program.
  func finish() { queue.sync {} }

  /// Returns the words after a row, if they have been read and nothing has changed since, and
  /// begins to read those that follow.
  ///
  /// - Parameter db: the caller's connection, inside a transaction; it reads what was not read.
  func words(after row: Int64, _ db: Database) throws -> WordBatch {
    let change = try ChangeCounter(db: db).last()
    var words = queue.sync { ahead.withLock { $0.take() } }
    if words?.start != row || words?.change != change { words = nil }
    let found = try words ?? WordBatch(after: row, db)
    if found.end > row {
      queue.async { [self] in
        // Without them, the next call reads them itself, and meets the error.
        let next = try? WordBatch.read(after: found.end, from: database)
        ahead.withLock { $0 = next }
      }
    }
    return found
  }
}
