import GRDB

/// The statements that store records of one kind.
struct RecordStatements {
  /// The statements that store rows of a child table.
  struct ChildStatements {
    let delete: BoundStatement
    let insert: BoundStatement
  }

  let find: BoundStatement
  let insert: BoundStatement
  let update: BoundStatement
  let markDeleted: BoundStatement
  let children: [ChildStatements]

  init(_ db: Database, _ sql: RecordSQL) throws {
    find = try BoundStatement(db, sql.find)
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
