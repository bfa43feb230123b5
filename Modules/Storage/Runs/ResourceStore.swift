import Foundation
import GRDB
package import Models

/// Where the sync of one resource, such as invoices, stores what it brings.
///
/// Records, deletions, checkpoint and run record of a page are committed in one transaction.
package struct ResourceStore<Record: SyncedRecord>: Sendable {
  /// What it stores.
  package let resource: Resource

  /// The database that it is a part of.
  package let database: LocalDatabase
  private let commitPage: @Sendable (Database, PageCommit) throws -> PageOutcome
  private let compare: @Sendable (Database, Int64, [RecordVersion], SeenTable) throws -> [String]
  private let encodeRecords: @Sendable ([Record]) -> EncodedRecords
  private let table: String

  init<Table: RecordTable<Record>>(
    database: LocalDatabase, resource: Resource, table: Table.Type
  ) {
    self.database = database
    self.resource = resource
    let resource = resource.rawValue
    self.table = Table.name
    encodeRecords = { EncodedRecords($0, of: table) }
    let sql = RecordSQL(table)
    commitPage = { db, page in
      try PageWriter<Table>(db, sql, page: page, resource: resource).write()
    }
    compare = { db, account, versions, sightings in
      let writer = try RecordWriter<Table>(
        db, sql, account: account, instant: Timestamp(microsecondsSinceEpoch: 0))
      let sighting = try sightings.adding(db, account: account, resource: resource)
      return try versions.compactMap { version in
        guard let stored = try writer.listed(version.id) else { return version.id }
        try sighting(stored.row)
        guard let order = version.order else { return version.id }
        return stored.order == order ? nil : version.id
      }
    }
  }

  /// Where the sync of an account goes on; `nil` before its first page.
  package func resumption(account: String) async throws -> Resumption? {
    let resource = resource.rawValue
    return try await database.read { db in
      try Row.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT source, checkpoint, watermark, is_complete FROM checkpoint
            JOIN account ON account.row = checkpoint.account WHERE name = ? AND resource = ?
            """), arguments: [account, resource]
      ).map { row in
        Resumption(
          source: row["source"], checkpoint: Array(row["checkpoint"] as Data),
          watermark: (row["watermark"] as Int64?).map(Timestamp.init(microsecondsSinceEpoch:)),
          isComplete: row["is_complete"])
      }
    }
  }

  /// Whether anything is stored for an account, deleted or not.
  package func hasRecords(account: String) async throws -> Bool {
    let table = table
    return try await database.read { db in
      try Bool.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT EXISTS (
              SELECT 1 FROM \(table) WHERE account = (SELECT row FROM account WHERE name = ?))
            """), arguments: [account]) ?? false
    }
  }

  /// Notes that a run begins; runs that never ended are noted as interrupted.
  package func beginRun(_ start: RunStart) async throws -> RunID {
    let resource = resource.rawValue
    return try await database.write { db in
      try db.cachedStatement(
        sql: """
          UPDATE run SET result = 'interrupted', ended_at = ?
          WHERE account_name = ? AND resource = ? AND result = 'running'
          """
      ).execute(arguments: [start.startedAt.microsecondsSinceEpoch, start.account, resource])
      try db.cachedStatement(
        sql: """
          INSERT INTO run (account_name, resource, provider, mode, result, started_at,
            watermark_before, watermark_after) VALUES (?, ?, ?, ?, 'running', ?, ?, ?)
          """
      ).execute(arguments: [
        start.account, resource, start.provider, start.mode,
        start.startedAt.microsecondsSinceEpoch, start.watermarkBefore?.microsecondsSinceEpoch,
        start.watermarkBefore?.microsecondsSinceEpoch,
      ])
      return RunID(rawValue: db.lastInsertedRowID)
    }
  }

  /// Makes of records what is stored.
  package func encode(_ records: [Record]) -> EncodedRecords { encodeRecords(records) }

  /// Commits pages in one transaction, all or none; a trial is rolled back and only tells what it would
  /// do.
  package func commit(_ pages: [PageCommit]) async throws -> [PageOutcome] {
    let commitPage = commitPage
    return try await database.write { db in try pages.map { try commitPage(db, $0) } }
  }

  /// Which of the records that the server lists are absent here, or stored in another version; all
  /// that are here count as seen by the sweep.
  package func outdated(
    among versions: [RecordVersion], account: String, isTrial: Bool
  ) async throws -> [String] {
    let compare = compare
    return try await database.write { db in
      let row = try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT row FROM account WHERE name = ?"), arguments: [account])
      guard let row else { return versions.map(\.id) }
      return try compare(db, row, versions, SeenTable(isTrial: isTrial))
    }
  }

  /// Begins a complete sweep: nothing was seen yet.
  ///
  /// - Parameter checkpoint: where it begins, stored together with that; `nil` for a trial.
  ///
  /// - Throws: ``StorageError/sourceMismatch(account:holding:stored:offered:)`` before anything is changed.
  package func beginSweep(account: String, source: String, checkpoint: [UInt8]?) async throws {
    let resource = resource.rawValue
    try await database.write { db in
      try AccountTable(db: db).require(source, of: account)
      try SeenTable(isTrial: checkpoint == nil).clear(db, account: account, resource: resource)
      guard let checkpoint else { return }
      try db.cachedStatement(
        sql: """
          UPDATE checkpoint SET checkpoint = ?, is_complete = 0
          WHERE account = (SELECT row FROM account WHERE name = ?) AND resource = ?
          """
      ).execute(arguments: [Data(checkpoint), account, resource])
    }
  }

  /// How many records a pass through the whole list has seen; of a first one, all that are stored.
  package func seen(account: String, isSweep: Bool, isTrial: Bool) async throws -> Int {
    let (table, resource) = (table, resource.rawValue)
    return try await database.write { db in
      isSweep
        ? try SeenTable(isTrial: isTrial).count(db, account: account, resource: resource)
        : try Int.fetchOne(
          db.cachedStatement(
            sql: """
              SELECT count(*) FROM \(table)
              WHERE account = (SELECT row FROM account WHERE name = ?)
              """), arguments: [account]) ?? 0
    }
  }

  /// How many records a sweep has not seen so far.
  package func unseen(account: String, isTrial: Bool) async throws -> Int {
    let (table, resource) = (table, resource.rawValue)
    return try await database.write { db in
      try SeenTable(isTrial: isTrial)
        .unseen(in: table, db, account: account, resource: resource).deleted
    }
  }

  /// Ends a pass through the whole list, in one transaction: what a sweep has not seen is deleted, and
  /// a later run begins at the checkpoint.
  ///
  /// Where that were too many, everything is left as it is.
  package func endPass(_ end: PassEnd) async throws -> SweepOutcome {
    let (table, resource) = (table, resource.rawValue)
    return try await database.write { db in
      let sightings = SeenTable(isTrial: end.run == nil)
      var outcome = SweepOutcome(deleted: 0, of: 0)
      if end.deletesUnseen {
        outcome = try sightings.unseen(in: table, db, account: end.account, resource: resource)
        guard outcome.isWithin(percent: end.maximumDeletedPercent) else { return outcome.refused }
        if end.run == nil {
          outcome.ids = try sightings.unseenIDs(
            in: table, db, account: end.account, resource: resource)
        } else if outcome.deleted > 0 {
          try sightings.markUnseen(
            in: table, db, account: end.account, resource: resource, instant: end.instant)
        }
        try sightings.clear(db, account: end.account, resource: resource)
      }
      guard let run = end.run else { return outcome }
      try db.cachedStatement(
        sql: """
          UPDATE checkpoint SET checkpoint = ?, watermark = ?, is_complete = ?
          WHERE account = (SELECT row FROM account WHERE name = ?) AND resource = ?
          """
      ).execute(arguments: [
        Data(end.checkpoint), end.watermark?.microsecondsSinceEpoch, end.isComplete, end.account,
        resource,
      ])
      try db.cachedStatement(sql: "UPDATE run SET deleted = deleted + ? WHERE id = ?").execute(
        arguments: [outcome.deleted, run.rawValue])
      return outcome
    }
  }

  /// Notes how a run ended.
  package func endRun(_ run: RunID, _ end: RunEnd) async throws {
    try await database.write { db in
      try db.cachedStatement(
        sql: """
          UPDATE run SET result = ?, error_code = ?, watermark_after = ?, requests = ?, ended_at = ?
          WHERE id = ?
          """
      ).execute(arguments: [
        end.result.rawValue, end.errorCode, end.watermark?.microsecondsSinceEpoch, end.requests,
        end.endedAt.microsecondsSinceEpoch, run.rawValue,
      ])
    }
  }
}
