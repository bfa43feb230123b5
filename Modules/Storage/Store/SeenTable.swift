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

  /// Returns a function that marks the row of a stored record as seen.
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
  ///
  /// Each seen row is the row of a stored record. So three counts are enough, and none of them
  /// reads the records that are not deleted: to look up each of 100 000 takes eight times as long.
  func unseen() throws -> SweepOutcome {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          WITH this AS (SELECT row FROM account WHERE name = ?1),
            deleted AS (
              -- The sign keeps SQLite from an index of all records.
              SELECT row FROM \(records)
              WHERE +account = (SELECT row FROM this) AND deleted_at IS NOT NULL
            )
          SELECT
            (SELECT count(*) FROM \(records) WHERE account = (SELECT row FROM this)) AS stored,
            (SELECT count(*) FROM deleted) AS deleted,
            (SELECT count(*) FROM (\(seen))) AS seen,
            (SELECT count(*) FROM deleted WHERE EXISTS (\(seen) AND row = deleted.row))
              AS seenDeleted
          """), arguments: [run.account, run.resource])
    guard let row else { return SweepOutcome(deleted: 0, of: 0) }
    let live: Int = row["stored"] - row["deleted"]
    let seenLive: Int = row["seen"] - row["seenDeleted"]
    return SweepOutcome(deleted: live - seenLive, of: live)
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
