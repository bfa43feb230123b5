import GRDB

/// Keeps a full-text index in step with the records of one page.
struct SearchWriter {
  private struct Addition {
    let key: Int64
    let words: Range<Int>
  }

  private let add: BoundStatement
  private let remove: BoundStatement
  private var additions: [Int64: Addition] = [:]

  /// Creates the writer; `nil` for records that cannot be searched.
  init?(_ db: Database, _ sql: RecordSQL) throws {
    guard let add = sql.addToSearch, let remove = sql.removeFromSearch else { return nil }
    self.add = try BoundStatement(db, add)
    self.remove = try BoundStatement(db, remove)
  }

  /// Removes the words of a row from the index; the row must still hold these words.
  func remove(_ row: Int64) throws {
    // Rows that this page has stored are not in the index yet.
    if additions[row] == nil { try remove.run(row) }
  }

  /// Queues the words of a row.
  mutating func add(_ record: EncodedRecords.Entry, _ row: Int64) {
    additions[row] = Addition(
      key: record.searchOrder << SearchIndex.rowBits | row, words: record.parts.words)
  }

  /// Adds the queued words in the order of their keys.
  ///
  /// FTS5 writes out everything that it has gathered whenever a smaller key follows.
  mutating func finish(_ buffer: ColumnBuffer) throws {
    for addition in additions.values.sorted(by: { $0.key < $1.key }) {
      try add.bind(addition.key, at: 1)
      try buffer.bind(addition.words, to: add, from: 2)
      try add.run()
    }
    additions = [:]
  }
}
