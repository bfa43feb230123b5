import GRDB

/// Removes from the search index the words of rows that change, inside the transaction that changes
/// them.
///
/// The index can forget words only while they are known. The new words are added later, by
/// ``SearchIndexer``.
struct SearchWriter {
  /// The words of a row as the index has them.
  ///
  /// They are bytes, as for FTS5: two texts in different Unicode normal forms are equal as
  /// `String`s and may be different words.
  struct Words: Equatable {
    let key: Int64
    let texts: [[UInt8]?]
  }

  private let indexedRow: Int64
  private let index: SearchIndex
  private let isPending: BoundStatement
  private let read: BoundStatement
  private let remove: BoundStatement
  private let addPending: BoundStatement

  init(_ db: Database, _ index: SearchIndex) throws {
    self.index = index
    indexedRow = try SearchState(db: db).indexedRow()
    isPending = try BoundStatement(db, "SELECT 1 FROM search_pending WHERE row = ?")
    read = try BoundStatement(
      db, "SELECT search_key, \(index.columnList) FROM \(index.view) WHERE row = ?")
    remove = try BoundStatement(db, index.remove)
    addPending = try BoundStatement(db, "INSERT INTO search_pending (row) VALUES (?)")
  }

  /// Returns the words of a row before it is changed; `nil` if the index does not have the row.
  func words(of row: Int64) throws -> Words? {
    guard row <= indexedRow else { return nil }
    try isPending.bind(row, at: 1)
    guard try isPending.first({ _ in true }) == nil else { return nil }
    return try stored(row)
  }

  /// Removes the earlier words of a row after it has changed, unless they are the same still.
  func replace(_ words: Words?, of row: Int64) throws {
    guard let words, try stored(row) != words else { return }
    try remove.bind(words.key, at: 1)
    for (index, text) in zip(Int32(2)..., words.texts) { try remove.bind(text, at: index) }
    try remove.run()
    try addPending.run(row)
  }

  private func stored(_ row: Int64) throws -> Words? {
    try read.bind(row, at: 1)
    return try read.first { columns in
      Words(
        key: columns.integer(at: 0) ?? 0,
        texts: index.columns.indices.map { columns.bytes(at: Int32($0) + 1) })
    }
  }
}
