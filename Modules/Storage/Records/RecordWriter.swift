import GRDB
import Models

/// Stores records of one kind in one account, inside a transaction.
struct RecordWriter<Table: RecordTable> {
  private struct Stored {
    let row: Int64
    let order: Int64?
    let fingerprint: Int64
    let isDeleted: Bool
    /// True if a list lacked the record or the server reported its deletion separately, so that the
    /// deletion is not part of the record itself.
    let isRemoved: Bool
    let updatedAt: Int64?
    /// True if another list of the same kind has stored the record.
    let isOfOtherList: Bool
  }

  private let db: Database
  private let account: Int64
  private let resource: Resource
  private let instant: Timestamp
  private let change: Int64
  private let statements: RecordStatements
  private let buffer: ColumnBuffer
  /// `nil` for records that cannot be searched.
  private let search: SearchWriter?
  private var identifiers: IdentifierIndex
  /// True if the last record was new.
  ///
  /// The next record is most likely new as well, so it is inserted without a lookup.
  private var expectsNew = false
  /// The row that was found last.
  private var lastFound: Int64 = 0
  /// True if the row before it was found before it.
  ///
  /// An unchanged list has its records in the order in which they were stored. The next one is then
  /// most likely in the next row, and is found there without a search in the index.
  private var isInOrder = false
  /// Called with a row before it is changed.
  var willUpdate: ((Int64) -> Void)?

  /// - Parameters:
  ///   - resource: the list of the records, for which `sql` was built.
  ///   - change: the number of the commit, which changed rows get.
  ///   - buffer: the values to store.
  ///   - firstPass: the first pass that stores them, if it is one.
  init(
    _ db: Database, _ sql: RecordSQL, account: Int64, resource: Resource, instant: Timestamp,
    change: Int64 = 0, buffer: ColumnBuffer = ColumnBuffer(), firstPass: FirstPass? = nil
  ) throws {
    self.db = db
    (self.account, self.resource) = (account, resource)
    self.instant = instant
    self.change = change
    self.buffer = buffer
    // Before the statements, which would otherwise be prepared twice.
    identifiers = try IdentifierIndex(db, Table.identifiers, firstPass)
    statements = try RecordStatements(db, sql)
    search = try Table.search.map { try SearchWriter(db, $0) }
  }

  /// Stores a record if it is new or has changed, and returns its row.
  ///
  /// - Parameter isListed: true if the record is part of the whole list, which is current even if
  ///   it is older than what is stored.
  /// - Throws: ``StorageError/sharedIdentifier(_:list:other:)`` if another list of the same kind
  ///   has the identifier: one record would replace the other, with each sync anew.
  mutating func apply(
    _ record: EncodedRecords.Entry, isListed: Bool
  ) throws -> (change: RecordChange.Kind, row: Int64) {
    if identifiers.isNew(record.id) || expectsNew, let row = try insert(record) {
      return (.inserted, row)
    }
    expectsNew = false
    guard let stored = try find(record.id) else {
      guard let row = try insert(record) else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
      expectsNew = true
      return (.inserted, row)
    }
    // A record that its list no longer has may have moved to this one.
    guard stored.isDeleted || !stored.isOfOtherList else { throw try sharing(record.id, stored) }
    if !isListed, !stored.isOfOtherList, let old = stored.order, let new = record.order, new < old,
      !isFuture(stored, old)
    {
      return (.unchanged, stored.row)
    }
    let isDeleted = record.deletion != nil
    guard
      record.fingerprint != stored.fingerprint || isDeleted != stored.isDeleted
        || stored.isOfOtherList
    else {
      return (.unchanged, stored.row)
    }
    try update(stored, to: record)
    if stored.isOfOtherList {
      try db.cachedStatement(sql: "UPDATE \(Table.name) SET list = ? WHERE row = ?")
        .execute(arguments: [resource.list, stored.row])
    }
    return (isDeleted && !stored.isDeleted ? .deleted : .updated, stored.row)
  }

  private func sharing(_ id: String, _ stored: Stored) throws -> StorageError {
    let other = try String.fetchOne(
      db, sql: "SELECT list FROM \(Table.name) WHERE row = ?", arguments: [stored.row])
    return .sharedIdentifier(
      id, list: resource,
      other: other.flatMap(Resource.init(rawValue:)) ?? Resource(resource.kind))
  }

  /// Returns true if a time of change that a record states has not come yet.
  ///
  /// Such a time orders nothing: until it has come, every correction would count as older.
  private func isFuture(_ stored: Stored, _ time: Int64) -> Bool {
    time == stored.updatedAt && time > instant.microsecondsSinceEpoch
  }

  /// Marks a record as deleted by the server.
  ///
  /// - Returns: its row; `nil` if it is not stored, is already deleted, has changed since, or is of
  ///   another list.
  mutating func remove(_ removal: Removal) throws -> Int64? {
    guard let stored = try find(removal.id), !stored.isDeleted, !stored.isOfOtherList else {
      return nil
    }
    if let instant = removal.instant, let changed = stored.updatedAt,
      changed > instant.microsecondsSinceEpoch, !isFuture(stored, changed)
    {
      return nil
    }
    let statement = statements.markDeleted
    try statement.bind(instant.microsecondsSinceEpoch, at: 1)
    try statement.bind(removal.reason, at: 2)
    try statement.bind(change, at: 3)
    try statement.bind(stored.row, at: 4)
    try statement.run()
    return stored.row
  }

  /// Returns the row and the order of a record; `nil` if it is not stored or is deleted.
  mutating func row(of id: String) throws -> (row: Int64, order: Int64?)? {
    try find(id).flatMap { $0.isDeleted || $0.isOfOtherList ? nil : ($0.row, $0.order) }
  }

  /// Returns the row and the order of a record that a list names.
  ///
  /// The record exists, even if the record itself says that it is deleted.
  mutating func listed(_ id: String) throws -> (row: Int64, order: Int64?)? {
    try find(id).flatMap { $0.isRemoved || $0.isOfOtherList ? nil : ($0.row, $0.order) }
  }

  private mutating func find(_ id: String) throws -> Stored? {
    try identifiers.require()
    if isInOrder {
      try statements.findInRow.bind(lastFound &+ 1, at: 3)
      if let found = try find(id, statements.findInRow) {
        lastFound = found.row
        return found
      }
    }
    let found = try find(id, statements.find)
    isInOrder = found.map { $0.row == lastFound &+ 1 } ?? false
    lastFound = found?.row ?? lastFound
    return found
  }

  private func find(_ id: String, _ statement: BoundStatement) throws -> Stored? {
    try statement.bind(account, at: 1)
    try statement.bind(id, at: 2)
    return try statement.first { row in
      Stored(
        row: row.integer(at: 0) ?? 0, order: row.integer(at: 1),
        fingerprint: row.integer(at: 2) ?? 0, isDeleted: row.integer(at: 3) == 1,
        isRemoved: row.integer(at: 4) == 1, updatedAt: row.integer(at: 5),
        isOfOtherList: row.integer(at: 6) == 1)
    }
  }

  /// Inserts a new record and returns its row; `nil` if the record is already stored.
  private func insert(_ record: EncodedRecords.Entry) throws -> Int64? {
    let statement = statements.insert
    return try buffer.withBytes { bytes in
      try bind(record, in: bytes, to: statement)
      let next = Int32(Table.columns.count) + 6
      try statement.bind(account, at: next)
      try statement.bind(record.id, at: next + 1)
      try statement.bind(resource.list, at: next + 2)
      try statement.run()
      guard db.changesCount == 1 else { return nil }
      let row = db.lastInsertedRowID
      try writeParts(of: record, in: bytes, row)
      return row
    }
  }

  private func update(_ stored: Stored, to record: EncodedRecords.Entry) throws {
    willUpdate?(stored.row)
    let words = try search?.words(of: stored.row)
    let statement = statements.update
    try buffer.withBytes { bytes in
      try bind(record, in: bytes, to: statement)
      try statement.bind(stored.row, at: Int32(Table.columns.count) + 6)
      try statement.run()
      for child in statements.children { try child.delete.run(stored.row) }
      try writeParts(of: record, in: bytes, stored.row)
    }
    try search?.replace(words, of: stored.row)
  }

  private func bind(
    _ record: EncodedRecords.Entry, in bytes: UnsafeBufferPointer<UInt8>,
    to statement: BoundStatement
  ) throws {
    try buffer.bind(record.parts.columns, in: bytes, to: statement)
    let next = Int32(Table.columns.count) + 1
    try statement.bind(record.fingerprint, at: next)
    try statement.bind(instant.microsecondsSinceEpoch, at: next + 1)
    try statement.bind(record.deletion.map { _ in instant.microsecondsSinceEpoch }, at: next + 2)
    try statement.bind(record.deletion, at: next + 3)
    try statement.bind(change, at: next + 4)
  }

  private func writeParts(
    of record: EncodedRecords.Entry, in bytes: UnsafeBufferPointer<UInt8>, _ row: Int64
  ) throws {
    try buffer.forEachChild(of: record.parts) { table, values in
      let statement = statements.children[table].insert
      try statement.bind(row, at: 1)
      try buffer.bind(values, in: bytes, to: statement, from: 2)
      try statement.run()
    }
  }
}

/// The SQL of the statements that store records of one kind, built once per store instead of once
/// per page.
struct RecordSQL: Sendable {
  /// The SQL of the statements that store rows of a child table.
  struct ChildSQL: Sendable {
    let delete: String
    let insert: String
  }

  let find: String
  /// Finds a record only if it is in a given row.
  let findInRow: String
  let insert: String
  let update: String
  let markDeleted: String
  let children: [ChildSQL]

  /// - Parameter resource: the list of the records.
  init(_ table: (some RecordTable).Type, of resource: Resource) {
    let name = table.name
    let found = """
      SELECT row, coalesce(version, updated_at), fingerprint, deleted_at IS NOT NULL,
        deleted_reason NOT LIKE 'status %', updated_at, iif(\(resource.isListed), 0, 1) FROM \(name)
      """
    find = found + " WHERE account = ?1 AND id = ?2"
    // The signs keep SQLite from the index.
    findInRow = found + " WHERE row = ?3 AND +account = ?1 AND +id = ?2"
    let columns =
      table.columns + ["fingerprint", "synced_at", "deleted_at", "deleted_reason", "change"]
    let all = columns + ["account", "id", "list"]
    // The first time that a record is stored is that of the insertion.
    insert = """
      INSERT INTO \(name) (\(all.joined(separator: ", ")), first_synced_at)
      VALUES (\(Self.marks(all.count)), ?\(table.columns.count + 2))
      ON CONFLICT DO NOTHING
      """
    update = "UPDATE \(name) SET \(Self.assignments(columns)) WHERE row = ?\(columns.count + 1)"
    markDeleted = "UPDATE \(name) SET deleted_at = ?, deleted_reason = ?, change = ? WHERE row = ?"
    children = table.children.map { child in
      let columns = [child.owner, "position"] + child.columns
      return ChildSQL(
        delete: "DELETE FROM \(child.name) WHERE \(child.owner) = ?",
        insert: """
          INSERT INTO \(child.name) (\(columns.joined(separator: ", ")))
          VALUES (\(Self.marks(columns.count)))
          """)
    }
  }

  private static func marks(_ count: Int) -> String {
    Array(repeating: "?", count: count).joined(separator: ", ")
  }

  /// Returns numbered assignments, since one parameter is used twice: a deletion keeps its first
  /// time.
  private static func assignments(_ columns: [String]) -> String {
    columns.enumerated().map { index, column in
      let value = "?\(index + 1)"
      return column == "deleted_at"
        ? "deleted_at = iif(\(value) IS NULL, NULL, coalesce(deleted_at, \(value)))"
        : "\(column) = \(value)"
    }.joined(separator: ", ")
  }
}

/// The statements that store records of one kind.
private struct RecordStatements {
  /// The statements that store rows of a child table.
  struct ChildStatements {
    let delete: BoundStatement
    let insert: BoundStatement
  }

  let find: BoundStatement
  let findInRow: BoundStatement
  let insert: BoundStatement
  let update: BoundStatement
  let markDeleted: BoundStatement
  let children: [ChildStatements]

  init(_ db: Database, _ sql: RecordSQL) throws {
    find = try BoundStatement(db, sql.find)
    findInRow = try BoundStatement(db, sql.findInRow)
    insert = try BoundStatement(db, sql.insert)
    update = try BoundStatement(db, sql.update)
    markDeleted = try BoundStatement(db, sql.markDeleted)
    children = try sql.children.map { child in
      ChildStatements(
        delete: try BoundStatement(db, child.delete), insert: try BoundStatement(db, child.insert))
    }
  }
}

extension BoundStatement {
  /// Runs a statement whose one parameter is a row.
  func run(_ row: Int64) throws {
    try bind(row, at: 1)
    try run()
  }
}
