import Foundation
import GRDB
package import Models

/// The store of one resource, such as invoices: syncs read their checkpoint and begin runs here.
package struct ResourceStore<Record: SyncedRecord>: Sendable {
  /// The resource that it stores.
  package let resource: Resource
  /// The database that contains the store.
  package let database: LocalDatabase
  let statements: RecordTableStatements<Record>

  init<Table: RecordTable<Record>>(
    database: LocalDatabase, resource: Resource, table: Table.Type
  ) {
    self.database = database
    self.resource = resource
    statements = RecordTableStatements(table)
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
    let table = statements.table
    return try await database.read { db in
      try Bool.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT EXISTS (
              SELECT 1 FROM \(table) WHERE account = (SELECT row FROM account WHERE name = ?))
            """), arguments: [account]) ?? false
    }
  }

  /// Encodes records for storage.
  package func encode(_ records: [Record]) -> EncodedRecords { statements.encode(records) }

  /// Begins a run that stores what it reads, and marks runs that never ended as died.
  ///
  /// - Returns: the store of the run.
  package func beginRun(_ start: RunStart) async throws -> RunStore<Record> {
    let resource = resource.rawValue
    let (run, isEmpty) = try await database.write { db in
      let isEmpty = try start.watermarkBefore == nil && InvoiceIndexes(db: db).dropIfEmpty()
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
    return RunStore(
      self, account: start.account, mode: .stored(run), firstPass: isEmpty ? FirstPass() : nil)
  }

  /// Begins a dry run, which leaves no trace.
  package func beginDryRun(account: String) -> RunStore<Record> {
    RunStore(self, account: account, mode: .dryRun)
  }
}
