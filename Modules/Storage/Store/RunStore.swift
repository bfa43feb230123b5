import Foundation
import GRDB
package import Models

/// The store of one resource, such as invoices: syncs read their checkpoint and begin runs here.
package struct ResourceStore<Record: SyncedRecord>: Sendable {
  /// The resource that it stores.
  package let resource: Resource
  /// The database that contains the store.
  package let database: LocalDatabase
  fileprivate let table: any RecordTable<Record>.Type
  /// Built once, not for each page.
  fileprivate let sql: RecordSQL

  /// - Parameter resource: a list of the table's records.
  init(database: LocalDatabase, resource: Resource, table: any RecordTable<Record>.Type) {
    self.database = database
    self.resource = resource
    self.table = table
    sql = RecordSQL(table, of: resource)
  }

  /// Returns the state from which the next sync of an account resumes; `nil` before its first page.
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

  /// Returns whether any record of an account is stored, deleted or not.
  package func hasRecords(account: String) async throws -> Bool {
    let (table, isListed) = (table.name, resource.isListed)
    return try await database.read { db in
      try Bool.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT EXISTS (
              SELECT 1 FROM \(table)
              WHERE account = (SELECT row FROM account WHERE name = ?) AND \(isListed))
            """), arguments: [account]) ?? false
    }
  }

  /// Encodes records for storage.
  ///
  /// - Parameter records: the only reference to them, or else each is copied.
  package func encode(_ records: consuming [Record]) -> EncodedRecords {
    encode(consume records, for: table)
  }

  private func encode<Table: RecordTable<Record>>(
    _ records: consuming [Record], for table: Table.Type
  ) -> EncodedRecords { EncodedRecords(consume records, of: table) }

  /// Begins a run that stores what it reads, and marks runs that never ended as died.
  ///
  /// - Returns: the store of the run.
  package func beginRun(_ start: RunStart) async throws -> RunStore<Record> {
    let (resource, table) = (resource.rawValue, table)
    let (run, isEmpty) = try await database.write { db in
      let isEmpty =
        try start.watermarkBefore == nil && RecordIndexes(db: db).dropIfEmpty(table)
      try db.cachedStatement(
        sql: """
          UPDATE run SET result = 'died', ended_at = ?
          WHERE account_name = ? AND resource = ? AND result = 'running'
          """
      ).execute(arguments: [start.startedAt.microsecondsSinceEpoch, start.account, resource])
      try db.cachedStatement(
        sql: """
          INSERT INTO run (account_name, resource, provider, mode, result, started_at,
            watermark_before, watermark_after) VALUES (?, ?, ?, ?, 'running', ?, ?, ?)
          """
      ).execute(arguments: [
        start.account, resource, start.provider, start.kind.rawValue,
        start.startedAt.microsecondsSinceEpoch, start.watermarkBefore?.microsecondsSinceEpoch,
        start.watermarkBefore?.microsecondsSinceEpoch,
      ])
      return (RunID(rawValue: db.lastInsertedRowID), isEmpty)
    }
    if isEmpty, table.search != nil, !database.isInMemory {
      database.searchBuild.value = SearchBuild(database.path, database.pool)
    }
    return RunStore(
      self, account: start.account, mode: .stored(run), firstPass: isEmpty ? FirstPass() : nil)
  }

  /// Begins a dry run, which leaves no trace.
  package func beginDryRun(account: String) -> RunStore<Record> {
    RunStore(self, account: account, mode: .dryRun)
  }
}

/// The state from which the next sync of an account resumes.
package struct Resumption: Sendable, Equatable {
  /// The organisation whose records the account holds.
  package let source: String
  /// The checkpoint of the last run.
  package let checkpoint: [UInt8]
  /// The newest change that is stored.
  package let watermark: Timestamp?
  /// True if the run that stored the checkpoint reached the end of the list.
  package let isComplete: Bool
}

/// The store of one run, bound to its account, its resource and its mode.
///
/// Each page's records, deletions, checkpoint and run record are committed in one transaction.
package struct RunStore<Record: SyncedRecord>: Sendable {
  let database: LocalDatabase
  private let table: any RecordTable<Record>.Type
  private let sql: RecordSQL
  let run: RunScope

  /// The mode of the run: stored or dry run.
  package var mode: RunMode { run.mode }

  init(
    _ store: ResourceStore<Record>, account: String, mode: RunMode, firstPass: FirstPass? = nil
  ) {
    database = store.database
    (table, sql) = (store.table, store.sql)
    run = RunScope(
      account: account, resource: store.resource, mode: mode,
      firstPass: firstPass)
  }

  /// Commits pages in one transaction, all or none; a dry run rolls them back.
  ///
  /// - Returns: the changes of each page, which a dry run only reports.
  package func commit(_ pages: [PendingPage]) async throws -> [PageChanges] {
    let table = table
    let changes = try await database.write { db in
      try pages.map { try write($0, to: table, db) }
    }
    if table.search != nil {
      database.searchBuild.value?.stored(changes.reduce(0) { $0 + $1.counts.inserted })
    }
    return changes
  }

  private func write<Table: RecordTable<Record>>(
    _ page: PendingPage, to _: Table.Type, _ db: Database
  ) throws -> PageChanges {
    try PageWriter<Table>(db, sql, page: page, run: run).write()
  }

  /// Returns the identifiers of listed records that are not stored in the listed version, and marks
  /// all stored ones as seen by the sweep.
  ///
  /// - Parameter retriesUnreadable: true to return also those that could not be read in the listed
  ///   version.
  package func outdated(
    among versions: [RecordVersion], retriesUnreadable: Bool
  ) async throws -> [String] {
    let (table, run) = (table, run)
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
        among: versions, retriesUnreadable ? [:] : unreadable, account: row, in: table, db)
    }
  }

  private func outdated<Table: RecordTable<Record>>(
    among versions: [RecordVersion], _ unreadable: [String: Int64], account: Int64,
    in _: Table.Type, _ db: Database
  ) throws -> [String] {
    var writer = try RecordWriter<Table>(
      db, sql, account: account, resource: run.resource,
      instant: Timestamp(microsecondsSinceEpoch: 0))
    let mark = try SeenTable(db, of: run, in: Table.name).marking(account: account)
    return try versions.compactMap { version in
      let stored = try writer.listed(version.id)
      if let stored { try mark(stored.row) }
      guard let order = version.order, order != unreadable[version.id] else {
        return version.order == nil ? version.id : nil
      }
      return stored?.order == order ? nil : version.id
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
    let (table, run) = (table.name, run)
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
      ).execute(arguments: [Data(checkpoint), run.account, run.name])
    }
  }

  /// Returns the number of records that a pass through the whole list has seen, unreadable ones
  /// included.
  ///
  /// For a first pass, that is the number of all stored and unreadable records.
  package func seenCount(isSweep: Bool) async throws -> Int {
    let (table, run, identifiers) = (table.name, run, table.identifiers)
    return try await database.write { db in
      // The index is a tenth of what the table is.
      _ = try IdentifierIndex(db, identifiers, nil)
      let unstored = try UnreadableTable(db, of: run).unstoredCount(in: table, isSweep: isSweep)
      guard !isSweep else { return try SeenTable(db, of: run, in: table).count() + unstored }
      let stored =
        try Int.fetchOne(
          db.cachedStatement(
            sql: run.resource.count(
              in: table, account: "(SELECT row FROM account WHERE name = ?1)")
          ), arguments: [run.account]) ?? 0
      return stored + unstored
    }
  }

  /// Returns the number of records that a sweep has not seen so far.
  package func unseenCount() async throws -> Int {
    let (table, run) = (table.name, run)
    return try await database.write { db in
      try SeenTable(db, of: run, in: table).unseen().deleted
    }
  }

  /// Ends a pass through the whole list in one transaction.
  ///
  /// It deletes the records that a sweep has not seen, and stores the checkpoint at which a later
  /// run begins. If too many records would be deleted, nothing changes.
  package func endPass(_ end: PassCompletion) async throws -> SweepOutcome {
    let (table, run) = (table, run)
    return try await database.write { db in
      let seen = SeenTable(db, of: run, in: table.name)
      var outcome = SweepOutcome(deleted: 0, of: 0)
      if end.deletesUnseen {
        outcome = try seen.unseen()
        outcome.isExcessive = !outcome.isWithin(percent: end.maximumDeletedPercent)
        guard !outcome.isExcessive || run.isDryRun else { return outcome.refused }
        if run.isDryRun {
          outcome.changes = try seen.unseenRows().map { try deletion(of: $0, in: table, db) }
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
        run.name,
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
            requests = ?, ended_at = ?, login = ?
          WHERE id = ?
          """
      ).execute(arguments: [
        end.result.rawValue, end.errorCode, end.cause, end.retryAt?.microsecondsSinceEpoch,
        end.watermark?.microsecondsSinceEpoch, end.requests, end.endedAt.microsecondsSinceEpoch,
        end.login, id.rawValue,
      ])
      if end.reportsUnreadable { try UnreadableTable(db, of: run).markReported() }
    }
  }

  /// Returns the deletion of a stored row, for a dry run to report.
  private func deletion(
    of row: Int64, in table: any RecordTable<Record>.Type, _ db: Database
  ) throws -> RecordChange {
    let id = try String.fetchOne(
      db.cachedStatement(sql: "SELECT id FROM \(table.name) WHERE row = ?"), arguments: [row])
    return RecordChange(id: id ?? "", kind: .deleted, of: RecordSnapshot(table, row: row, db))
  }
}

/// The mode of a run: stored or dry run.
package enum RunMode: Sendable, Hashable {
  /// The run stores pages, and counts them in its run record.
  case stored(RunID)
  /// The run stores nothing, and reports what would change.
  case dryRun
}

/// The identity of a run.
package struct RunID: Sendable, Hashable {
  let rawValue: Int64
}

/// The account, resource and mode to which every statement of a run is bound.
struct RunScope: Sendable {
  let account: String
  let resource: Resource
  let mode: RunMode
  /// The identifiers of a first pass that began with an empty table; else `nil`.
  var firstPass: FirstPass?

  var isDryRun: Bool { mode == .dryRun }
  /// The name that the tables of syncs have for the list.
  var name: String { resource.rawValue }
}
