import GRDB
import Models

/// Stores records of one kind in one account, inside a transaction.
struct RecordWriter<Table: RecordTable> {
  private struct Stored {
    let row: Int64
    let order: Int64?
    let fingerprint: Int64
    let isDeleted: Bool
    /// Whether that is because it was not listed.
    let isUnlisted: Bool
  }

  private let db: Database
  private let account: Int64
  private let instant: Timestamp
  private let statements: RecordStatements
  private var buffer = ColumnBuffer()

  init(_ db: Database, account: Int64, instant: Timestamp) throws {
    self.db = db
    self.account = account
    self.instant = instant
    statements = try RecordStatements(db, Table.self)
  }

  /// Stores a record where it is new or has changed, and tells its row.
  ///
  /// - Parameter isListed: whether it is part of the whole list, which is right also where it is older
  ///   than what is stored.
  mutating func apply(
    _ record: Table.Record, isListed: Bool
  ) throws -> (change: RecordChange.Kind, row: Int64) {
    let deletion = Table.deletion(of: record)
    buffer.clear()
    Table.write(record, to: &buffer)
    let fingerprint = buffer.fingerprint
    guard let stored = try find(record.id) else {
      return (.inserted, try insert(record.id, deletion, fingerprint))
    }
    if !isListed, let old = stored.order, let new = record.order, new < old {
      return (.unchanged, stored.row)
    }
    let isDeleted = deletion != nil
    guard fingerprint != stored.fingerprint || isDeleted != stored.isDeleted else {
      return (.unchanged, stored.row)
    }
    try update(stored, deletion, fingerprint)
    return (isDeleted && !stored.isDeleted ? .deleted : .updated, stored.row)
  }

  /// Notes that the server has deleted a record; `nil` where there is none, or it was noted before.
  func remove(_ id: String, reason: String) throws -> Int64? {
    guard let stored = try find(id), !stored.isDeleted else { return nil }
    let statement = statements.markDeleted
    try statement.bind(instant.microsecondsSinceEpoch, at: 1)
    try statement.bind(reason, at: 2)
    try statement.bind(stored.row, at: 3)
    try statement.run()
    return stored.row
  }

  /// The row of a record, and its order, where it is stored and not deleted.
  func row(of id: String) throws -> (row: Int64, order: Int64?)? {
    try find(id).flatMap { $0.isDeleted ? nil : ($0.row, $0.order) }
  }

  /// The same of one that a list names: it is there, also where the server calls it deleted.
  func listed(_ id: String) throws -> (row: Int64, order: Int64?)? {
    try find(id).flatMap { $0.isUnlisted ? nil : ($0.row, $0.order) }
  }

  private func find(_ id: String) throws -> Stored? {
    let statement = statements.find
    try statement.bind(account, at: 1)
    try statement.bind(id, at: 2)
    return try statement.first { row in
      Stored(
        row: row.integer(at: 0) ?? 0, order: row.integer(at: 1),
        fingerprint: row.integer(at: 2) ?? 0, isDeleted: row.integer(at: 3) == 1,
        isUnlisted: row.integer(at: 4) == 1)
    }
  }

  private func insert(
    _ id: String, _ deletion: String?, _ fingerprint: Int64
  ) throws -> Int64 {
    let statement = statements.insert
    try bind(deletion, fingerprint, to: statement)
    let next = Int32(Table.columns.count) + 5
    try statement.bind(account, at: next)
    try statement.bind(id, at: next + 1)
    try statement.run()
    let row = db.lastInsertedRowID
    try writeChildren(of: row)
    try statements.addToSearch?.run(row)
    return row
  }

  private func update(
    _ stored: Stored, _ deletion: String?, _ fingerprint: Int64
  ) throws {
    try statements.removeFromSearch?.run(stored.row)
    let statement = statements.update
    try bind(deletion, fingerprint, to: statement)
    try statement.bind(stored.row, at: Int32(Table.columns.count) + 5)
    try statement.run()
    for child in statements.children { try child.delete.run(stored.row) }
    try writeChildren(of: stored.row)
    try statements.addToSearch?.run(stored.row)
  }

  private func bind(
    _ deletion: String?, _ fingerprint: Int64, to statement: BoundStatement
  ) throws {
    try buffer.bindRecord(to: statement)
    let next = Int32(Table.columns.count) + 1
    try statement.bind(fingerprint, at: next)
    try statement.bind(instant.microsecondsSinceEpoch, at: next + 1)
    try statement.bind(deletion.map { _ in instant.microsecondsSinceEpoch }, at: next + 2)
    try statement.bind(deletion, at: next + 3)
  }

  private func writeChildren(of row: Int64) throws {
    try buffer.forEachChild { table, bind in
      let statement = statements.children[table].insert
      try statement.bind(row, at: 1)
      try bind(statement, 2)
      try statement.run()
    }
  }
}
