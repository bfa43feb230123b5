import GRDB
import Models

/// Which rows a complete sweep has seen, so that it can go on after an interruption.
///
/// What a trial has seen is known to its own connection alone.
struct SeenTable {
  private let name: String
  private let isTrial: Bool

  init(isTrial: Bool) {
    self.isTrial = isTrial
    name = isTrial ? "temp.dry_run_seen" : "seen"
  }

  /// What notes rows.
  func adding(
    _ db: Database, account: Int64, resource: String
  ) throws -> (_ row: Int64) throws -> Void {
    try prepare(db)
    let statement = try BoundStatement(
      db, "INSERT OR IGNORE INTO \(name) (account, resource, row) VALUES (?, ?, ?)")
    try statement.bind(account, at: 1)
    try statement.bind(resource, at: 2)
    return { row in
      try statement.bind(row, at: 3)
      try statement.run()
    }
  }

  /// A trial has a table of its own connection's.
  private func prepare(_ db: Database) throws {
    guard isTrial else { return }
    try db.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS \(name)
          (account INTEGER, resource TEXT, row INTEGER, PRIMARY KEY (account, resource, row))
        """)
  }

  func clear(_ db: Database, account: String, resource: String) throws {
    try prepare(db)
    try db.cachedStatement(
      sql: """
        DELETE FROM \(name)
        WHERE account = (SELECT row FROM account WHERE name = ?) AND resource = ?
        """
    ).execute(arguments: [account, resource])
  }

  func count(_ db: Database, account: String, resource: String) throws -> Int {
    try Int.fetchOne(
      db.cachedStatement(sql: "SELECT count(*) FROM (\(seen))"), arguments: [account, resource]
    ) ?? 0
  }

  /// How many of the rows that count as there were not seen.
  func unseen(
    in table: String, _ db: Database, account: String, resource: String
  ) throws -> SweepOutcome {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT count(*) AS live, coalesce(sum(row NOT IN (\(seen))), 0) AS unseen FROM \(table)
          WHERE account = (SELECT row FROM account WHERE name = ?1) AND deleted_at IS NULL
          """), arguments: [account, resource])
    return SweepOutcome(deleted: row?["unseen"] ?? 0, of: row?["live"] ?? 0)
  }

  /// Why a record counts as deleted that a complete list does not hold.
  static let reason = "not in the complete list"

  /// Some of those that were not seen.
  func unseenIDs(
    in table: String, _ db: Database, account: String, resource: String
  ) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT id FROM \(table)
        WHERE account = (SELECT row FROM account WHERE name = ?1) AND deleted_at IS NULL
          AND row NOT IN (\(seen)) LIMIT 10000
        """, arguments: [account, resource])
  }

  func markUnseen(
    in table: String, _ db: Database, account: String, resource: String,
    instant: Timestamp
  ) throws {
    try db.execute(
      sql: """
        UPDATE \(table) SET deleted_at = ?3, deleted_reason = ?4
        WHERE account = (SELECT row FROM account WHERE name = ?1) AND deleted_at IS NULL
          AND row NOT IN (\(seen))
        """, arguments: [account, resource, instant.microsecondsSinceEpoch, Self.reason])
  }

  private var seen: String {
    """
    SELECT row FROM \(name)
    WHERE account = (SELECT row FROM account WHERE name = ?1) AND resource = ?2
    """
  }
}
