import GRDB
import Models

/// The operations that a store runs on its table of records, without the table's own type.
struct RecordTableStatements<Record: SyncedRecord>: Sendable {
  let table: String
  /// The index of the records' identifiers, if a first pass may store without it.
  let identifiers: Schema.InvoiceIndex?
  let encode: @Sendable ([Record]) -> EncodedRecords
  let write: @Sendable (Database, PendingPage, RunScope) throws -> PageChanges
  /// Returns the deletion of a stored row, for a dry run to report.
  let deletion: @Sendable (Int64, Database) throws -> RecordChange
  /// Marks the stored rows as seen, and returns the identifiers of records that are missing or may
  /// be outdated.
  let outdated:
    @Sendable (
      _ db: Database, _ account: Int64, _ versions: [RecordVersion], _ unreadable: [String: Int64],
      _ seen: SeenTable
    ) throws -> [String]

  init<Table: RecordTable<Record>>(_ table: Table.Type) {
    self.table = Table.name
    identifiers = Table.identifiers
    encode = { EncodedRecords($0, of: table) }
    let sql = RecordSQL(table)
    deletion = { row, db in
      let id = try String.fetchOne(
        db.cachedStatement(sql: "SELECT id FROM \(Table.name) WHERE row = ?"), arguments: [row])
      return RecordChange(
        id: id ?? "", kind: .deleted, of: RecordSnapshot(Table.self, row: row, db))
    }
    write = { db, page, run in
      try PageWriter<Table>(db, sql, page: page, run: run).write()
    }
    outdated = { db, account, versions, unreadable, seen in
      var writer = try RecordWriter<Table>(
        db, sql, account: account, instant: Timestamp(microsecondsSinceEpoch: 0))
      let mark = try seen.marking(account: account)
      return try versions.compactMap { version in
        let stored = try writer.listed(version.id)
        if let stored { try mark(stored.row) }
        guard let order = version.order, order != unreadable[version.id] else {
          return version.order == nil ? version.id : nil
        }
        return stored?.order == order ? nil : version.id
      }
    }
  }
}
