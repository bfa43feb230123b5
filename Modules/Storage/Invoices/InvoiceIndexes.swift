import GRDB

/// The indexes of invoices, inside a transaction.
///
/// A first sync stores its rows without them, and creates them at its end: written row by row, at
/// random places, they cost three times what they cost in one piece, and twice the bytes in the
/// write-ahead log. A query meanwhile finds the same, more slowly.
struct InvoiceIndexes {
  let db: Database

  /// Drops them if there is no invoice yet.
  ///
  /// - Returns: whether there is none.
  func dropIfEmpty() throws -> Bool {
    guard try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM invoice)") ?? false else {
      return false
    }
    for index in Schema.invoiceIndexes {
      try db.execute(sql: "DROP INDEX IF EXISTS \(index.name)")
    }
    return true
  }

  /// Returns whether an index exists.
  func exist(_ index: Schema.InvoiceIndex) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?)"),
      arguments: [index.name]) ?? false
  }

  /// Creates those that are missing.
  func createMissing() throws {
    for index in try missing() { try db.execute(sql: index.sql) }
  }

  /// Returns those that are missing.
  func missing() throws -> [Schema.InvoiceIndex] {
    let names = try String.fetchSet(
      db.cachedStatement(
        sql: "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'invoice'"))
    return Schema.invoiceIndexes.filter { !names.contains($0.name) }
  }
}
