import GRDB

/// Adds to the search index the words that it lacks, many rows at a time, inside a transaction.
struct SearchIndexer {
  /// The largest number of new rows of one transaction, and of changed ones.
  ///
  /// More rows need less merging inside the index; with 50 000 of two kilobytes each, a program
  /// that writes beside it waits for about a second.
  static let batch = 50_000

  let db: Database
  private let index = SearchIndex.invoices

  init(_ db: Database) {
    self.db = db
  }

  /// Adds the next rows.
  ///
  /// - Returns: whether the index lacks more.
  func addNext() throws -> Bool {
    let state = SearchState(db: db)
    try addPending()
    let indexed = try state.indexedRow()
    let last = try Int64.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT max(row) FROM (SELECT row FROM invoice WHERE row > ? ORDER BY row LIMIT ?)
          """), arguments: [indexed, Self.batch])
    guard let last else { return try state.isBehind() }
    try add(where: "row > ? AND row <= ?", [indexed, last])
    try state.setIndexedRow(last)
    return try state.isBehind()
  }

  /// Adds rows that have changed since they were indexed.
  private func addPending() throws {
    let last = try Int64.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT max(row) FROM (SELECT row FROM search_pending ORDER BY row LIMIT ?)
          """), arguments: [Self.batch])
    guard let last else { return }
    try add(where: "row IN (SELECT row FROM search_pending WHERE row <= ?)", [last])
    try db.cachedStatement(sql: "DELETE FROM search_pending WHERE row <= ?").execute(
      arguments: [last])
  }

  /// Adds rows in the order of their keys: FTS5 writes out everything that it has gathered whenever
  /// a smaller key follows.
  ///
  /// SQLite sorts them with their words. To sort keys alone and look the words up one by one costs
  /// a quarter more, since the days of neighbouring rows differ.
  private func add(where condition: String, _ arguments: StatementArguments) throws {
    let columns = index.columnList
    try db.cachedStatement(
      sql: """
        INSERT INTO \(index.name) (rowid, \(columns))
        SELECT search_key, \(columns) FROM \(index.view) WHERE \(condition) ORDER BY search_key
        """
    ).execute(arguments: arguments)
  }
}
