import GRDB
public import Models

/// A record that an account's provider lists and that could not be read.
public struct UnreadableRecord: Sendable, Equatable {
  /// The record's identifier.
  public let id: String
  /// The place in the record, such as `LineItems[2].Quantity`.
  public let path: String
  /// The problem at that place.
  public let reason: String
  /// The time at which a run could first not read it.
  public let since: Timestamp

  /// The largest number of records that are returned at once.
  public static let most = 100

  init(_ row: Row) {
    id = row["id"]
    path = row["path"]
    reason = row["reason"]
    since = Timestamp(microsecondsSinceEpoch: row["since"])
  }
}

/// A record of a page that could not be read, to be remembered.
package struct UnreadableRow: Sendable, Equatable {
  package let id: String
  /// The version that the list states, as ``RecordVersion/order``; `nil` if it states none.
  package var version: Int64?
  package let path: String
  package let reason: String

  package init(id: String, path: String, reason: String) {
    self.id = id
    self.path = path
    self.reason = reason
  }
}

/// The remembered unreadable records of one list, inside a transaction.
struct UnreadableTable {
  private let db: Database
  private let run: RunScope

  init(_ db: Database, of run: RunScope) {
    self.db = db
    self.run = run
  }

  /// Remembers records that could not be read, and forgets those that a page holds or removes.
  ///
  /// - Returns: how many of the unreadable ones no run has reported in this state.
  func update(_ account: Int64, after page: PendingPage) throws -> Int {
    let remembersAny = try Bool.fetchOne(
      db.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM unreadable WHERE account = ? AND resource = ?)"),
      arguments: [account, run.name])
    if remembersAny == true {
      let forget = try db.cachedStatement(
        sql: "DELETE FROM unreadable WHERE account = ? AND resource = ? AND id = ?")
      for id in page.records.entries.map(\.id) + page.removals.map(\.id) {
        try forget.execute(arguments: [account, run.name, id])
      }
    }
    guard !page.unreadable.isEmpty else { return 0 }
    // A record that fails elsewhere, or in another version, is news; it keeps the first time.
    let remember = try db.cachedStatement(
      sql: """
        INSERT INTO unreadable (account, resource, id, version, path, reason, since, is_reported,
          is_seen) VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)
        ON CONFLICT DO UPDATE SET
          is_reported = is_reported AND version IS excluded.version AND path = excluded.path
            AND reason = excluded.reason,
          version = excluded.version, path = excluded.path, reason = excluded.reason,
          is_seen = is_seen OR excluded.is_seen
        RETURNING is_reported
        """)
    var news = 0
    for row in page.unreadable {
      let isReported = try Bool.fetchOne(
        remember,
        arguments: [
          account, run.name, row.id, row.version, row.path, row.reason,
          page.instant.microsecondsSinceEpoch, page.isSweep,
        ])
      if isReported == false { news += 1 }
    }
    return news
  }

  /// Returns the versions of the remembered records.
  func versions() throws -> [String: Int64] {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: "SELECT id, version FROM unreadable WHERE \(isOfRun) AND version IS NOT NULL"),
      arguments: [run.account, run.name])
    return Dictionary(rows.map { ($0["id"], $0["version"]) }) { $1 }
  }

  /// Marks a record as seen by a sweep.
  func see(_ id: String) throws {
    try db.cachedStatement(
      sql: "UPDATE unreadable SET is_seen = 1 WHERE \(isOfRun) AND id = ?3"
    ).execute(arguments: [run.account, run.name, id])
  }

  /// Removes the marks of a sweep.
  func beginSweep() throws {
    try execute("UPDATE unreadable SET is_seen = 0 WHERE \(isOfRun)")
  }

  /// Forgets the records that a complete sweep has not seen.
  func endSweep() throws {
    try execute("DELETE FROM unreadable WHERE \(isOfRun) AND NOT is_seen")
  }

  /// Marks the records as reported to the user.
  func markReported() throws {
    try execute("UPDATE unreadable SET is_reported = 1 WHERE \(isOfRun)")
  }

  /// Returns the number of records that a pass has seen and that no row is stored of.
  ///
  /// - Parameter isSweep: true for a sweep, to which a deleted row is none.
  func unstoredCount(in records: String, isSweep: Bool) throws -> Int {
    try Int.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT count(*) FROM unreadable WHERE \(isOfRun) \(isSweep ? "AND is_seen" : "")
            AND NOT EXISTS (
              SELECT 1 FROM \(records) WHERE \(records).account = unreadable.account
                AND \(records).id = unreadable.id \(isSweep ? "AND deleted_at IS NULL" : ""))
          """), arguments: [run.account, run.name]) ?? 0
  }

  private func execute(_ sql: String) throws {
    try db.cachedStatement(sql: sql).execute(arguments: [run.account, run.name])
  }

  private var isOfRun: String {
    "account = (SELECT row FROM account WHERE name = ?1) AND resource = ?2"
  }
}

extension RunStore {
  /// Returns the numbers of the records that cannot be read, and of those not reported yet.
  package func unreadableCounts() async throws -> (all: Int, unreported: Int) {
    let run = run
    return try await database.write { db in
      let row = try Row.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT count(*) AS counted, count(*) FILTER (WHERE NOT is_reported) AS unreported
            FROM unreadable
            WHERE account = (SELECT row FROM account WHERE name = ?) AND resource = ?
            """), arguments: [run.account, run.name])
      return row.map { ($0["counted"], $0["unreported"]) } ?? (0, 0)
    }
  }
}

extension LocalDatabase {
  /// Returns the records of a list that its syncs could not read, those not reported yet first.
  ///
  /// A run tries such a record again when it changes at the provider, once a day, and after
  /// appcore or the description of the list has changed.
  ///
  /// - Throws: ``StorageError``.
  public func unreadableRecords(
    of resource: Resource, account: String, limit: Int = UnreadableRecord.most
  ) async throws -> [UnreadableRecord] {
    try await read { db in
      try Row.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT id, path, reason, since FROM unreadable
            WHERE account = (SELECT row FROM account WHERE name = ?) AND resource = ?
            ORDER BY is_reported, since, id LIMIT ?
            """), arguments: [account, resource.rawValue, limit]
      ).map(UnreadableRecord.init)
    }
  }

  /// Returns the number of records of a list that its syncs could not read.
  ///
  /// - Throws: ``StorageError``.
  public func unreadableCount(of resource: Resource, account: String) async throws -> Int {
    try await read { db in
      try Int.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT count(*) FROM unreadable
            WHERE account = (SELECT row FROM account WHERE name = ?) AND resource = ?
            """), arguments: [account, resource.rawValue]) ?? 0
    }
  }
}
