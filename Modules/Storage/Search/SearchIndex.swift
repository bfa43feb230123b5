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
