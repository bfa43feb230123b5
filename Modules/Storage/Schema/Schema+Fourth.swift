import GRDB

extension Schema {
  /// Lets the amounts that are added up hold nothing but what a decimal is written with.
  ///
  /// Every writer of ours has them from `ExactDecimal`; this is for whoever else writes into the file, since
  /// one that is no number would keep all sums from being made. Two such checks add about a hundredth to
  /// the time of a first sync; checks of every amount, lines' among them, would add a tenth and more.
  ///
  /// The definition is changed in place (https://sqlite.org/lang_altertable.html#otheralter): nothing is
  /// stored otherwise, and to copy a table of a million rows would need its room once more.
  static func restrictAmounts(_ db: Database) throws {
    let isWrong = try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (
          SELECT 1 FROM invoice WHERE NOT (\(isDecimal("total"))) OR NOT (\(isDecimal("amount_due"))))
        """)
    guard isWrong == false else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an amount is no number")
    }
    let version = try Int.fetchOne(db, sql: "PRAGMA schema_version") ?? 0
    try db.execute(sql: "PRAGMA writable_schema = ON")
    try db.execute(
      sql: """
        UPDATE sqlite_schema SET sql = replace(
          replace(sql, 'total TEXT NOT NULL,', 'total TEXT NOT NULL CHECK (' || ? || '),'),
          'amount_due TEXT,', 'amount_due TEXT CHECK (' || ? || '),')
        WHERE type = 'table' AND name = 'invoice'
        """, arguments: [isDecimal("total"), isDecimal("amount_due")])
    // Else other connections would not look at it again; RESET lets this one do so.
    try db.execute(sql: "PRAGMA schema_version = \(version + 1)")
    try db.execute(sql: "PRAGMA writable_schema = RESET")
  }

  private static func isDecimal(_ column: String) -> String {
    "\(column) <> '' AND \(column) NOT GLOB '*[^-.0-9]*'"
  }
}
