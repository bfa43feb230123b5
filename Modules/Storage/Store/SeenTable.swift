import GRDB
import Models

/// The rows that a complete sweep has seen, inside a transaction.
///
/// They let an interrupted sweep resume. A dry run has a table of its own, which only its
/// connection can see.
struct SeenTable {
  /// The reason that is recorded with records that a complete list does not hold.
  static let reason = "not in the complete list"

  private let db: Database
  private let run: RunScope
  /// The table of the records.
  private let records: String
  private let name: String

  init(_ db: Database, of run: RunScope, in records: String) {
    self.db = db
    self.run = run
    self.records = records
    name = run.isDryRun ? "temp.dry_run_seen" : "seen"
  }

  /// Returns a function that marks a row as seen.
  func marking(account: Int64) throws -> (_ row: Int64) throws -> Void {
    try createForDryRun()
    let statement = try BoundStatement(
      db, "INSERT OR IGNORE INTO \(name) (account, resource, row) VALUES (?, ?, ?)")
    try statement.bind(account, at: 1)
    try statement.bind(run.resource, at: 2)
    return { row in
      try statement.bind(row, at: 3)
      try statement.run()
    }
  }

  private func createForDryRun() throws {
    guard run.isDryRun else { return }
    try db.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS \(name)
          (account INTEGER, resource TEXT, row INTEGER, PRIMARY KEY (account, resource, row))
        """)
  }

  /// Removes the marks of all rows.
  func clear() throws {
    try createForDryRun()
    try db.cachedStatement(
      sql: """
        DELETE FROM \(name)
        WHERE account = (SELECT row FROM account WHERE name = ?) AND resource = ?
        """
    ).execute(arguments: [run.account, run.resource])
  }

  /// Returns the number of rows that were seen.
  func count() throws -> Int {
    try Int.fetchOne(
      db.cachedStatement(sql: "SELECT count(*) FROM (\(seen))"),
      arguments: [run.account, run.resource]) ?? 0
  }

  /// Counts the records that are not deleted, and those of them that were not seen.
  func unseen() throws -> SweepOutcome {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT count(*) AS live, coalesce(sum(row NOT IN (\(seen))), 0) AS unseen
          FROM \(records)
          WHERE account = (SELECT row FROM account WHERE name = ?1) AND deleted_at IS NULL
          """), arguments: [run.account, run.resource])
    return SweepOutcome(deleted: row?["unseen"] ?? 0, of: row?["live"] ?? 0)
  }

  /// Returns the rows of the first records that were not seen.
  func unseenRows() throws -> [Int64] {
    try Int64.fetchAll(
      db, sql: "SELECT row FROM \(records) WHERE \(isUnseen) LIMIT 10000",
      arguments: [run.account, run.resource])
  }

  /// Marks the records that were not seen as deleted.
  func deleteUnseen(at instant: Timestamp) throws {
    try db.execute(
      sql: "UPDATE \(records) SET deleted_at = ?3, deleted_reason = ?4 WHERE \(isUnseen)",
      arguments: [run.account, run.resource, instant.microsecondsSinceEpoch, Self.reason])
  }

  private var isUnseen: String {
    """
    account = (SELECT row FROM account WHERE name = ?1) AND deleted_at IS NULL
      AND row NOT IN (\(seen))
    """
  }

  private var seen: String {
    """
    SELECT row FROM \(name)
    WHERE account = (SELECT row FROM account WHERE name = ?1) AND resource = ?2
    """
  }
}
