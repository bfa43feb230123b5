import Foundation
import GRDB
import Models

/// The store of one run, bound to its account, its resource and its mode.
///
/// Each page's records, deletions, checkpoint and run record are committed in one transaction.
package struct RunStore<Record: SyncedRecord>: Sendable {
  let database: LocalDatabase
  private let statements: RecordTableStatements<Record>
  let run: RunScope

  /// The mode of the run: stored or dry run.
  package var mode: RunMode { run.mode }

  init(
    _ store: ResourceStore<Record>, account: String, mode: RunMode, firstPass: FirstPass? = nil
  ) {
    database = store.database
    statements = store.statements
    run = RunScope(
      account: account, resource: store.resource.rawValue, mode: mode,
      firstPass: firstPass)
  }

  /// Commits pages in one transaction, all or none; a dry run rolls them back.
  ///
  /// - Returns: the changes of each page, which a dry run only reports.
  package func commit(_ pages: [PendingPage]) async throws -> [PageChanges] {
    let (write, run) = (statements.write, run)
    return try await database.write { db in try pages.map { try write(db, $0, run) } }
  }

  /// Returns the identifiers of listed records that are not stored in the listed version, and marks
  /// all stored ones as seen by the sweep.
  ///
  /// - Parameter retriesUnreadable: true to return also those that could not be read in the listed
  ///   version.
  package func outdated(
    among versions: [RecordVersion], retriesUnreadable: Bool
  ) async throws -> [String] {
    let (outdated, table, run) = (statements.outdated, statements.table, run)
    return try await database.write { db in
      let row = try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT row FROM account WHERE name = ?"),
        arguments: [run.account])
      guard let row else { return versions.map(\.id) }
      let remembered = UnreadableTable(db, of: run)
      let unreadable = try remembered.versions()
      if !unreadable.isEmpty, !run.isDryRun {
        for version in versions where unreadable[version.id] != nil {
          try remembered.see(version.id)
        }
      }
      return try outdated(
        db, row, versions, retriesUnreadable ? [:] : unreadable,
        SeenTable(db, of: run, in: table))
    }
  }

  /// Begins a complete sweep that has not seen any record yet.
  ///
  /// - Parameters:
  ///   - source: the organisation whose records are read.
  ///   - checkpoint: the start of the sweep, stored in the same transaction; a dry run stores none.
  /// - Throws: ``StorageError/sourceMismatch(account:holding:stored:offered:)`` before anything is
  ///   changed.
  package func beginSweep(source: String, checkpoint: [UInt8]) async throws {
    let (table, run) = (statements.table, run)
    try await database.write { db in
      try AccountTable(db: db).require(source, of: run.account)
      try SeenTable(db, of: run, in: table).clear()
      guard !run.isDryRun else { return }
      try UnreadableTable(db, of: run).beginSweep()
      try db.cachedStatement(
        sql: """
          UPDATE checkpoint SET checkpoint = ?, is_complete = 0
          WHERE account = (SELECT row FROM account WHERE name = ?) AND resource = ?
          """
      ).execute(arguments: [Data(checkpoint), run.account, run.resource])
    }
  }

  /// Returns the number of records that a pass through the whole list has seen, unreadable ones
  /// included.
  ///
  /// For a first pass, that is the number of all stored and unreadable records.
  package func seenCount(isSweep: Bool) async throws -> Int {
    let (table, run, identifiers) = (statements.table, run, statements.identifiers)
    return try await database.write { db in
      // The index is a tenth of what the table is.
      _ = try IdentifierIndex(db, identifiers, nil)
      let unstored = try UnreadableTable(db, of: run).unstoredCount(in: table, isSweep: isSweep)
      guard !isSweep else { return try SeenTable(db, of: run, in: table).count() + unstored }
      let stored =
        try Int.fetchOne(
          db.cachedStatement(
            sql: """
              SELECT count(*) FROM \(table)
              WHERE account = (SELECT row FROM account WHERE name = ?)
              """), arguments: [run.account]) ?? 0
      return stored + unstored
    }
  }

  /// Returns the number of records that a sweep has not seen so far.
  package func unseenCount() async throws -> Int {
    let (table, run) = (statements.table, run)
    return try await database.write { db in
      try SeenTable(db, of: run, in: table).unseen().deleted
    }
  }

  /// Ends a pass through the whole list in one transaction.
  ///
  /// It deletes the records that a sweep has not seen, and stores the checkpoint at which a later
  /// run begins. If too many records would be deleted, nothing changes.
  package func endPass(_ end: PassCompletion) async throws -> SweepOutcome {
    let (table, run, deletion) = (statements.table, run, statements.deletion)
    return try await database.write { db in
      let seen = SeenTable(db, of: run, in: table)
      var outcome = SweepOutcome(deleted: 0, of: 0)
      if end.deletesUnseen {
        outcome = try seen.unseen()
        outcome.isExcessive = !outcome.isWithin(percent: end.maximumDeletedPercent)
        guard !outcome.isExcessive || run.isDryRun else { return outcome.refused }
        if run.isDryRun {
          outcome.changes = try seen.unseenRows().map { try deletion($0, db) }
        } else if outcome.deleted > 0 {
          try seen.deleteUnseen(at: end.instant)
        }
        try seen.clear()
        if !run.isDryRun { try UnreadableTable(db, of: run).endSweep() }
      }
      guard case .stored(let id) = run.mode else { return outcome }
      try db.cachedStatement(
        sql: """
          UPDATE checkpoint SET checkpoint = ?, watermark = ?, is_complete = ?
          WHERE account = (SELECT row FROM account WHERE name = ?) AND resource = ?
          """
      ).execute(arguments: [
        Data(end.checkpoint), end.watermark?.microsecondsSinceEpoch, end.isComplete, run.account,
        run.resource,
      ])
      try db.cachedStatement(sql: "UPDATE run SET deleted = deleted + ? WHERE id = ?").execute(
        arguments: [outcome.deleted, id.rawValue])
      return outcome
    }
  }

  /// Records how the run ended; does nothing for a dry run.
  package func end(_ end: RunEnd) async throws {
    guard case .stored(let id) = run.mode else { return }
    let run = run
    try await database.write { db in
      try db.cachedStatement(
        sql: """
          UPDATE run SET result = ?, error_code = ?, cause = ?, retry_at = ?, watermark_after = ?,
            requests = ?, ended_at = ?
          WHERE id = ?
          """
      ).execute(arguments: [
        end.result.rawValue, end.errorCode, end.cause, end.retryAt?.microsecondsSinceEpoch,
        end.watermark?.microsecondsSinceEpoch, end.requests, end.endedAt.microsecondsSinceEpoch,
        id.rawValue,
      ])
      if end.reportsUnreadable { try UnreadableTable(db, of: run).markReported() }
    }
  }
}
