import GRDB
package import Models

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
    try statement.bind(run.name, at: 2)
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
    ).execute(arguments: [run.account, run.name])
  }

  /// Returns the number of rows that were seen.
  func count() throws -> Int {
    try Int.fetchOne(
      db.cachedStatement(sql: "SELECT count(*) FROM (\(seen))"),
      arguments: [run.account, run.name]) ?? 0
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
                AND \(run.resource.isListed)
            )
          SELECT
            (\(run.resource.count(in: records, account: "(SELECT row FROM this)"))) AS stored,
            (SELECT count(*) FROM deleted) AS deleted,
            (SELECT count(*) FROM (\(seen))) AS seen,
            (SELECT count(*) FROM deleted WHERE EXISTS (\(seen) AND row = deleted.row))
              AS seenDeleted
          """), arguments: [run.account, run.name])
    guard let row else { return SweepOutcome(deleted: 0, of: 0) }
    let live: Int = row["stored"] - row["deleted"]
    let seenLive: Int = row["seen"] - row["seenDeleted"]
    return SweepOutcome(deleted: live - seenLive, of: live)
  }

  /// Returns the rows of the first records that were not seen.
  func unseenRows() throws -> [Int64] {
    try Int64.fetchAll(
      db, sql: "SELECT row FROM \(records) WHERE \(isUnseen) LIMIT 10000",
      arguments: [run.account, run.name])
  }

  /// Marks the records that were not seen as deleted.
  func deleteUnseen(at instant: Timestamp) throws {
    try db.execute(
      sql: """
        UPDATE \(records) SET deleted_at = ?3, deleted_reason = ?4, change = ?5 WHERE \(isUnseen)
        """,
      arguments: [
        run.account, run.name, instant.microsecondsSinceEpoch, Self.reason,
        try ChangeCounter(db: db).next(),
      ])
  }

  private var isUnseen: String {
    """
    account = (SELECT row FROM account WHERE name = ?1) AND \(run.resource.isListed)
      AND deleted_at IS NULL AND row NOT IN (\(seen))
    """
  }

  private var seen: String {
    """
    SELECT row FROM \(name)
    WHERE account = (SELECT row FROM account WHERE name = ?1) AND resource = ?2
    """
  }
}

/// The end of a pass through the whole list, as it is stored.
package struct PassCompletion: Sendable {
  let instant: Timestamp
  /// The checkpoint that a later run begins at.
  package var checkpoint: [UInt8] = []
  /// The newest change that is known.
  package var watermark: Timestamp?
  /// True if the pass left nothing out.
  package var isComplete = false
  /// True if records that a sweep has not seen count as deleted.
  package var deletesUnseen = false
  /// The largest percentage of the stored records that may be deleted.
  package let maximumDeletedPercent: Int

  /// - Parameter instant: the time that is recorded with deletions.
  package init(instant: Timestamp, maximumDeletedPercent: Int) {
    self.instant = instant
    self.maximumDeletedPercent = maximumDeletedPercent
  }
}

/// The deletions at the end of a complete sweep.
package struct SweepOutcome: Sendable, Equatable {
  /// The number of records that are deleted.
  package let deleted: Int
  /// The number of records before the deletions, not counting those deleted earlier.
  package let of: Int
  /// The records that would be deleted; of a dry run only, at most as many as it reports.
  package internal(set) var changes: [RecordChange] = []
  /// True if the deletions are too many; only a dry run reports them all the same.
  package internal(set) var isExcessive = false
  /// True if the deletions were too many, so that nothing was deleted.
  package private(set) var isRefused = false

  init(deleted: Int, of total: Int) {
    self.deleted = deleted
    of = total
  }

  /// The number of deletions that are always allowed unless none are: one of three is no mass
  /// deletion.
  private static let alwaysAllowed = 5

  func isWithin(percent: Int) -> Bool {
    deleted <= (percent > 0 ? Self.alwaysAllowed : 0) || deleted * 100 <= of * percent
  }

  var refused: SweepOutcome {
    var outcome = self
    outcome.isRefused = true
    return outcome
  }
}
