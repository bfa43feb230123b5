import GRDB

/// The counter of the commits that change records, inside a transaction.
///
/// A row that changes gets the number of its commit, so that readers who know a number find all
/// that has changed since.
struct ChangeCounter {
  let db: Database

  /// The number of the last commit that changed a record.
  func last() throws -> Int64 {
    try Int64.fetchOne(db.cachedStatement(sql: "SELECT last FROM change_counter")) ?? 0
  }

  /// Takes the next number.
  func next() throws -> Int64 {
    let next = try last() + 1
    try advance(to: next)
    return next
  }

  /// Notes a number that rows have got.
  func advance(to number: Int64) throws {
    try db.cachedStatement(sql: "UPDATE change_counter SET last = ?").execute(arguments: [number])
  }

  /// Notes that the records of an account are removed, or that they get the account's other name.
  ///
  /// The rows, and that of the account, are still there.
  func forget(_ account: String, renaming: Bool = false) throws {
    let row = "(SELECT row FROM account WHERE name = ?1)"
    guard try Int64.fetchOne(db, sql: "SELECT \(row)", arguments: [account]) != nil else { return }
    let number = try next()
    for kind in ChangedKind.allCases {
      let (id, condition) =
        kind == .account ? ("name", "name = ?1") : ("id", "account = \(row)")
      try db.execute(
        sql: """
          INSERT INTO forgotten (kind, account, id, change, forgotten_at)
          SELECT '\(kind)', ?1, \(id), ?2, 1000000 * unixepoch() FROM \(kind) WHERE \(condition)
          """, arguments: [account, number])
      guard renaming, kind != .account else { continue }
      try db.execute(
        sql: "UPDATE \(kind) SET change = ?2 WHERE account = \(row)", arguments: [account, number])
    }
  }
}
