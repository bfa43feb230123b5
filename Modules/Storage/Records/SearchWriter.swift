import GRDB

/// Keeps a full-text index beside the records of one page.
struct SearchWriter {
  private struct Addition {
    let key: Int64
    let words: Range<Int>
  }

  private let add: BoundStatement
  private let remove: BoundStatement
  private var additions: [Int64: Addition] = [:]

  /// `nil` for records that cannot be searched for.
  init?(_ db: Database, _ sql: RecordSQL) throws {
    guard let add = sql.addToSearch, let remove = sql.removeFromSearch else { return nil }
    self.add = try BoundStatement(db, add)
    self.remove = try BoundStatement(db, remove)
  }

  /// Takes out the words of a row, which have to be those that are still stored.
  func remove(_ row: Int64) throws {
    // What this page has stored is not in the index yet.
    if additions[row] == nil { try remove.run(row) }
  }

  /// Notes the words of a row.
  mutating func add(_ record: EncodedRecords.Entry, _ row: Int64) {
    additions[row] = Addition(
      key: record.searchOrder << SearchIndex.rowBits | row, words: record.parts.words)
  }

  /// Adds what was noted, in the order of the keys: FTS5 writes out all that it has gathered
  /// whenever a smaller one comes.
  mutating func finish(_ buffer: ColumnBuffer) throws {
    for addition in additions.values.sorted(by: { $0.key < $1.key }) {
      try add.bind(addition.key, at: 1)
      try buffer.bind(addition.words, to: add, from: 2)
      try add.run()
    }
    additions = [:]
  }
}
