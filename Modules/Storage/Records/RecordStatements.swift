import GRDB

/// The statements that store records of one kind.
struct RecordStatements {
  struct Child {
    let delete: BoundStatement
    let insert: BoundStatement
  }

  let find: BoundStatement
  let insert: BoundStatement
  let update: BoundStatement
  let markDeleted: BoundStatement
  let children: [Child]
  let addToSearch: BoundStatement?
  let removeFromSearch: BoundStatement?

  init(_ db: Database, _ table: (some RecordTable).Type) throws {
    let name = table.name
    find = try BoundStatement(
      db,
      """
      SELECT row, coalesce(version, updated_at), fingerprint, deleted_at IS NOT NULL,
        deleted_reason IS '\(SightingTable.reason)' FROM \(name)
      WHERE account = ? AND id = ?
      """)
    let columns = table.columns + ["fingerprint", "synced_at", "deleted_at", "deleted_reason"]
    let all = columns + ["account", "id"]
    insert = try BoundStatement(
      db, "INSERT INTO \(name) (\(all.joined(separator: ", "))) VALUES (\(Self.marks(all.count)))")
    update = try BoundStatement(
      db,
      "UPDATE \(name) SET \(Self.assignments(columns)) WHERE row = ?\(columns.count + 1)")
    markDeleted = try BoundStatement(
      db, "UPDATE \(name) SET deleted_at = ?, deleted_reason = ? WHERE row = ?")
    children = try table.children.map { child in
      let columns = [child.owner, "position"] + child.columns
      return Child(
        delete: try BoundStatement(db, "DELETE FROM \(child.name) WHERE \(child.owner) = ?"),
        insert: try BoundStatement(
          db,
          "INSERT INTO \(child.name) (\(columns.joined(separator: ", "))) VALUES (\(Self.marks(columns.count)))"
        ))
    }
    let search = table.search
    addToSearch = try search.map { index in
      let columns = index.columns.joined(separator: ", ")
      return try BoundStatement(
        db,
        """
        INSERT INTO \(index.name) (rowid, \(columns)) VALUES (\(Self.marks(index.columns.count + 1)))
        """)
    }
    removeFromSearch = try search.map { index in
      let columns = index.columns.joined(separator: ", ")
      return try BoundStatement(
        db,
        """
        INSERT INTO \(index.name) (\(index.name), rowid, \(columns))
        SELECT 'delete', row, \(columns) FROM \(index.view) WHERE row = ?
        """)
    }
  }

  private static func marks(_ count: Int) -> String {
    Array(repeating: "?", count: count).joined(separator: ", ")
  }

  /// Numbered, since one of them is used twice: a deletion that was noted before keeps its time.
  private static func assignments(_ columns: [String]) -> String {
    columns.enumerated().map { index, column in
      let value = "?\(index + 1)"
      return column == "deleted_at"
        ? "deleted_at = iif(\(value) IS NULL, NULL, coalesce(deleted_at, \(value)))"
        : "\(column) = \(value)"
    }.joined(separator: ", ")
  }
}

extension BoundStatement {
  /// Runs a statement whose one parameter is a row.
  func run(_ row: Int64) throws {
    try bind(row, at: 1)
    try run()
  }
}
