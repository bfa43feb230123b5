import GRDBSQLite

/// The rows and both sums that a peer has stored, read with SQLite alone.
struct StoredTotals {
  /// The tables in which a peer keeps its invoices and their lines.
  struct Tables {
    let invoices: String
    let total: String
    let lines: String
    let lineAmount: String

    static let appcore = Tables(
      invoices: "invoice", total: "total", lines: "line", lineAmount: "line_amount")
    static let plain = Tables(
      invoices: "invoice", total: "total", lines: "line", lineAmount: "amount")
    static let dlt = Tables(
      invoices: "invoice", total: "total", lines: "invoice__line_items", lineAmount: "line_amount")
  }

  /// Requires that a database holds all sample invoices.
  ///
  /// - Throws: `WrongAnswer`, after it has printed what was found.
  static func require(_ totals: SampleInvoices.Totals, in path: String, _ tables: Tables) throws {
    var connection: OpaquePointer?
    guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      throw WrongAnswer()
    }
    defer { sqlite3_close(connection) }
    func pair(_ table: String, _ amount: String) throws -> (Int, Int) {
      var statement: OpaquePointer?
      let sql = "SELECT count(*), sum(CAST(round(\(amount) * 100) AS INTEGER)) FROM \(table)"
      defer { sqlite3_finalize(statement) }
      guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK,
        sqlite3_step(statement) == SQLITE_ROW
      else { throw WrongAnswer() }
      return (Int(sqlite3_column_int64(statement, 0)), Int(sqlite3_column_int64(statement, 1)))
    }
    let invoices = try pair(tables.invoices, tables.total)
    let lines = try pair(tables.lines, tables.lineAmount)
    let found = SampleInvoices.Totals(
      invoices: invoices.0, lines: lines.0, total: invoices.1, lineAmount: lines.1)
    guard found == totals else {
      print("\(path): found \(found), expected \(totals)")
      throw WrongAnswer()
    }
  }
}
