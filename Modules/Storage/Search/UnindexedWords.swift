import GRDB

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
