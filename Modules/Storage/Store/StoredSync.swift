import Foundation
import GRDB
public import Models

/// The runs and the records of an account's list, as the database holds them.
package struct StoredSync: Sendable {
  /// The latest runs, the newest first.
  package internal(set) var runs: [RunRecord] = []
  /// The age of the records; `nil` if no run has begun yet.
  package internal(set) var age: RecordAge?
  /// The number of records that the provider still lists.
  package internal(set) var listed = 0
  /// The records that the syncs could not read, at most 100.
  package internal(set) var unreadable: [UnreadableRecord] = []
  /// The number of records that the syncs could not read.
  package internal(set) var unreadableCount = 0

  /// Creates what is stored of a list before the first run.
  package init() {}
}

extension LocalDatabase {
  /// Returns the runs and records of a resource in accounts, by the account's name.
  ///
  /// A few statements read all accounts: a statement for each would take seconds for thousands.
  ///
  /// - Parameters:
  ///   - accounts: the accounts with their provider's name; an account of the same name may have
  ///     had runs of another provider in another configuration.
  ///   - limit: the largest number of runs of an account.
  /// - Throws: ``StorageError``.
  package func storedSyncs(
    of resource: Resource, accounts: [String: String], runs limit: Int
  ) async throws -> [String: StoredSync] {
    let names = try Self.json(accounts)
    return try await read { db in
      var syncs = accounts.mapValues { _ in StoredSync() }
      let runs = try Row.fetchCursor(
        db.cachedStatement(
          sql: """
            SELECT run.* FROM json_each(?1) AS name CROSS JOIN run
            WHERE run.id IN (
              SELECT id FROM run
              WHERE account_name = name.key AND resource = ?2 AND provider = name.value
              ORDER BY id DESC LIMIT ?3)
            ORDER BY run.id DESC
            """), arguments: [names, resource.rawValue, limit])
      while let row = try runs.next() {
        syncs[row["account_name"]]?.runs.append(RunRecord(row))
      }
      for (account, age) in try Self.recordAges(of: resource, accounts: names, in: db) {
        syncs[account]?.age = age
      }
      let listed = try Row.fetchCursor(
        db.cachedStatement(
          sql: Self.countByAccount(
            in: resource.kind.table,
            where: "deleted_at IS NULL AND \(resource.isListed) AND \(resource.kind.isVisible)")),
        arguments: [names])
      while let row = try listed.next() { syncs[row["name"]]?.listed = row["counted"] }
      let unreadable = try Row.fetchCursor(
        db.cachedStatement(
          sql: """
            SELECT account.name, unreadable.id, unreadable.path, reason, since
            FROM json_each(?1) AS named
            CROSS JOIN account ON account.name = named.key
            CROSS JOIN unreadable ON unreadable.account = account.row AND resource = ?2
            ORDER BY is_reported, since, unreadable.id
            """), arguments: [names, resource.rawValue])
      while let row = try unreadable.next() {
        let account: String = row["name"]
        syncs[account]?.unreadableCount += 1
        guard syncs[account]?.unreadable.count ?? 0 < UnreadableRecord.most else { continue }
        syncs[account]?.unreadable.append(UnreadableRecord(row))
      }
      return syncs
    }
  }

  /// Returns the ages of the records of a resource in accounts, by the account's name; without
  /// those that no run was made for.
  ///
  /// A run of the changes since a time that the user names does not count.
  ///
  /// - Throws: ``StorageError``.
  public func recordAges(
    of resource: Resource, accounts: [String]
  ) async throws -> [String: RecordAge] {
    let names = try Self.json(Dictionary(accounts.map { ($0, "") }) { $1 })
    return try await read { try Self.recordAges(of: resource, accounts: names, in: $0) }
  }

  /// Returns the number of invoices of each account, void and deleted ones included; without those
  /// that have none.
  ///
  /// - Throws: ``StorageError``.
  public func invoiceCounts(accounts: [String]) async throws -> [String: Int] {
    let names = try Self.json(Dictionary(accounts.map { ($0, "") }) { $1 })
    return try await read { db in
      let rows = try Row.fetchAll(
        db.cachedStatement(sql: Self.countByAccount(in: "invoice", where: "TRUE")),
        arguments: [names])
      return Dictionary(rows.map { ($0["name"], $0["counted"]) }) { $1 }
    }
  }

  private static func recordAges(
    of resource: Resource, accounts names: String, in db: Database
  ) throws -> [String: RecordAge] {
    // Two look-ups in an index for each account: the table of runs only grows.
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT name.key AS account_name,
            (SELECT started_at FROM run WHERE account_name = name.key AND resource = ?2
              ORDER BY id LIMIT 1) AS started_at,
            (SELECT ended_at FROM run WHERE account_name = name.key AND resource = ?2
                AND result = 'complete' AND mode <> ?3
              ORDER BY id DESC LIMIT 1) AS complete_at
          FROM json_each(?1) AS name
          """), arguments: [names, resource.rawValue, RunKind.since.rawValue])
    var ages: [String: RecordAge] = [:]
    while let row = try rows.next() {
      if row.hasNull(atIndex: 1) { continue }
      ages[row["account_name"]] = RecordAge(row)
    }
    return ages
  }

  /// Returns a query that counts the rows of a table in each account that a JSON object names;
  /// without the accounts that have none.
  ///
  /// The plus sign keeps SQLite from the order of names: rows of one account are near one another.
  private static func countByAccount(in table: String, where condition: String) -> String {
    """
    SELECT account.name, (
      SELECT count(*) FROM \(table) AS record
      WHERE record.account = account.row AND \(condition)) AS counted
    FROM account WHERE +name IN (SELECT key FROM json_each(?1)) AND counted > 0
    """
  }

  /// Returns accounts with their provider's names as a JSON object, which takes one argument.
  private static func json(_ accounts: [String: String]) throws -> String {
    String(decoding: try JSONEncoder().encode(accounts), as: UTF8.self)
  }
}
