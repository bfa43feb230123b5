/// The SQL of the statements that store records of one kind, built once per store instead of once
/// per page.
struct RecordSQL: Sendable {
  /// The SQL of the statements that store rows of a child table.
  struct ChildSQL: Sendable {
    let delete: String
    let insert: String
  }

  let find: String
  let insert: String
  let update: String
  let markDeleted: String
  let children: [ChildSQL]

  init(_ table: (some RecordTable).Type) {
    let name = table.name
    find = """
      SELECT row, coalesce(version, updated_at), fingerprint, deleted_at IS NOT NULL,
        deleted_reason NOT LIKE 'status %', updated_at FROM \(name)
      WHERE account = ? AND id = ?
      """
    let columns = table.columns + ["fingerprint", "synced_at", "deleted_at", "deleted_reason"]
    let all = columns + ["account", "id"]
    insert = """
      INSERT INTO \(name) (\(all.joined(separator: ", "))) VALUES (\(Self.marks(all.count)))
      ON CONFLICT DO NOTHING
      """
    update = "UPDATE \(name) SET \(Self.assignments(columns)) WHERE row = ?\(columns.count + 1)"
    markDeleted = "UPDATE \(name) SET deleted_at = ?, deleted_reason = ? WHERE row = ?"
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
