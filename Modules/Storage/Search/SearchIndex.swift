import GRDB

/// A full-text index (FTS5) of the text that a view shows, keyed by the view's `search_key`.
///
/// It is brought up to date by ``SearchIndexer``, behind the transactions that store records.
struct SearchIndex: Sendable {
  /// The number of bits of a key that hold the record's row; the bits above hold its day.
  static let rowBits: Int64 = 32

  /// The index of invoices.
  static let invoices = SearchIndex(
    name: "invoice_search", view: "invoice_words",
    columns: ["number", "contact", "reference", "lines"])

  let name: String
  let view: String
  let columns: [String]

  /// The columns, with commas between them.
  var columnList: String { columns.joined(separator: ", ") }

  /// Adds the words of a row to the index: parameters are the key and the words.
  var insert: String {
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO \(name) (rowid, \(columnList)) VALUES (?, \(marks))"
  }

  /// Removes the words of a row from the index: parameters are the key and the words that the index
  /// has.
  var remove: String {
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO \(name) (\(name), rowid, \(columnList)) VALUES ('delete', ?, \(marks))"
  }
}

/// The state of the search index inside a transaction: which rows it lacks.
struct SearchState {
  let db: Database

  /// The last row that is indexed.
  func indexedRow() throws -> Int64 {
    try Int64.fetchOne(db.cachedStatement(sql: "SELECT indexed_row FROM search_state")) ?? 0
  }

  /// Returns whether the index lacks words that are stored.
  func isBehind() throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM search_pending)
            OR coalesce((SELECT max(row) FROM invoice), 0) > (SELECT indexed_row FROM search_state)
          """)) ?? false
  }

  /// Notes that rows up to one are indexed.
  func setIndexedRow(_ row: Int64) throws {
    try db.cachedStatement(sql: "UPDATE search_state SET indexed_row = ?").execute(
      arguments: [row])
  }
}

/// Adds to the search index the words that it lacks, many rows at a time, inside a transaction.
struct SearchIndexer {
  /// The largest number of new rows of one transaction, and of changed ones.
  ///
  /// With 50 000 of two kilobytes each, a program that writes beside it waits for about a second.
  static let batch = 50_000

  let db: Database
  private let index = SearchIndex.invoices

  init(_ db: Database) {
    self.db = db
  }

  /// Adds the next rows.
  ///
  /// - Parameter reader: reads their words while those before are added.
  /// - Returns: whether the index lacks more.
  func addNext(readBy reader: WordBatchReader? = nil) throws -> Bool {
    let state = SearchState(db: db)
    try addPending()
    var indexed = try state.indexedRow()
    var count = 0
    while count < Self.batch {
      let words =
        try reader?.words(after: indexed, db) ?? WordBatch(after: indexed, db)
      guard words.count > 0 else { break }
      try words.add(to: db)
      indexed = words.end
      count += words.count
    }
    if count > 0 { try state.setIndexedRow(indexed) }
    return try state.isBehind()
  }

  /// Adds rows that have changed since they were indexed, in the order of their keys.
  private func addPending() throws {
    let last = try Int64.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT max(row) FROM (SELECT row FROM search_pending ORDER BY row LIMIT ?)
          """), arguments: [Self.batch])
    guard let last else { return }
    let columns = index.columnList
    try db.cachedStatement(
      sql: """
        INSERT INTO \(index.name) (rowid, \(columns))
        SELECT search_key, \(columns) FROM \(index.view)
        WHERE row IN (SELECT row FROM search_pending WHERE row <= ?) ORDER BY search_key
        """
    ).execute(arguments: [last])
    try db.cachedStatement(sql: "DELETE FROM search_pending WHERE row <= ?").execute(
      arguments: [last])
  }
}

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

/// The words that the search index lacks, in an index of their own that lasts for one reading.
///
/// With it a search finds everything, also while another process is indexing, and after one was
/// killed. It lies in the connection's temporary database, which a connection that only reads has
/// too.
struct UnindexedWords {
  static let name = "unindexed_words"
  /// The table of their words (fts5vocab).
  static let vocabulary = "temp.unindexed_term"

  let db: Database
  private let index = SearchIndex.invoices

  init(_ db: Database) {
    self.db = db
  }

  /// Runs `body`, which searches, with the words that the index lacks.
  ///
  /// - Parameter body: receives whether there are such words.
  func with<Value>(_ body: (_ isNeeded: Bool) throws -> Value) throws -> Value {
    guard try SearchState(db: db).isBehind() else { return try body(false) }
    let columns = index.columnList
    // A cancelled reading cannot drop them, as every statement fails then.
    try drop()
    try db.execute(
      sql: """
        CREATE VIRTUAL TABLE temp.\(Self.name) USING fts5(\(columns), content = '',
          tokenize = '\(Schema.searchTokenizer)');
        CREATE VIRTUAL TABLE \(Self.vocabulary) USING fts5vocab(temp, \(Self.name), instance)
        """)
    defer { try? drop() }
    try db.execute(
      sql: """
        INSERT INTO temp.\(Self.name) (rowid, \(columns))
        SELECT row, \(columns) FROM \(index.view)
        WHERE row > (SELECT indexed_row FROM search_state)
          OR row IN (SELECT row FROM search_pending)
        """)
    return try body(true)
  }

  private func drop() throws {
    try db.execute(
      sql: """
        DROP TABLE IF EXISTS \(Self.vocabulary);
        DROP TABLE IF EXISTS temp.\(Self.name)
        """)
  }
}
