import Foundation
import GRDB
import Models

/// The table of accounts inside a transaction, each with the organisation whose records it holds.
struct AccountTable {
  let db: Database

  func owner(_ account: String) throws -> AccountOwner? {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT source, login, addresses FROM account WHERE name = ?"),
      arguments: [account]
    ).map(Self.owner)
  }

  private static func owner(_ row: Row) -> AccountOwner {
    let text: String? = row["addresses"]
    let addresses = text.flatMap {
      try? JSONDecoder().decode([String: String].self, from: Data($0.utf8))
    }
    return AccountOwner(
      source: row["source"], login: row["login"],
      addresses: Dictionary(
        (addresses ?? [:]).compactMap { name, address in
          Resource(rawValue: name).map { ($0, address) }
        }, uniquingKeysWith: { $1 }))
  }

  /// Returns addresses as they are stored; `nil` if there are none.
  static func text(of addresses: [Resource: String]) throws -> String? {
    guard !addresses.isEmpty else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let names = addresses.map { ($0.key.rawValue, $0.value) }
    return String(
      decoding: try encoder.encode(Dictionary(names) { $1 }), as: UTF8.self)
  }

  func contents(_ account: String) throws -> AccountContents {
    func count(_ table: String) throws -> Int {
      try Int.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT count(*) FROM \(table)
            WHERE account = (SELECT row FROM account WHERE name = ?)
            """), arguments: [account]) ?? 0
    }
    return AccountContents(invoices: try count("invoice"), contacts: try count("contact"))
  }

  /// Returns the row of a page's account, and inserts it at the first page.
  ///
  /// The organisation of an account without records may change. The checkpoints, seen rows and
  /// unreadable records of the account are then deleted, because they belong to the lists of the
  /// previous organisation.
  ///
  /// - Throws: ``StorageError/sourceMismatch(account:holding:stored:offered:)``.
  func row(_ account: String, of page: PendingPage, resource: Resource?) throws -> Int64 {
    let (source, login) = (page.source, page.login)
    let found = try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT row, source, login, addresses FROM account WHERE name = ?"),
      arguments: [account])
    guard let found else {
      try db.execute(
        sql: "INSERT INTO account (name, source, login, addresses) VALUES (?, ?, ?, ?)",
        arguments: [account, source, login, Self.text(of: page.addresses)])
      return db.lastInsertedRowID
    }
    let row: Int64 = found["row"]
    let owner = Self.owner(found)
    let addresses =
      resource.map { owner.addresses(proving: $0, in: page.addresses) } ?? owner.addresses
    let isOther = owner.source != source || (login != nil && owner.login != login)
    guard isOther || addresses != owner.addresses else { return row }
    if try isOther && isEmpty(row) {
      try db.execute(sql: "DELETE FROM checkpoint WHERE account = ?", arguments: [row])
      try db.execute(sql: "DELETE FROM seen WHERE account = ?", arguments: [row])
      try db.execute(sql: "DELETE FROM unreadable WHERE account = ?", arguments: [row])
    } else {
      try require(source, of: account)
    }
    try db.execute(
      sql: """
        UPDATE account SET source = ?, login = coalesce(?, login), addresses = ? WHERE row = ?
        """, arguments: [source, login, Self.text(of: addresses), row])
    return row
  }

  /// Requires that an account has no records, or only those of an organisation.
  func require(_ source: String, of account: String) throws {
    guard let stored = try owner(account)?.source, !source.specifies(stored) else { return }
    let contents = try contents(account)
    guard contents.isEmpty else {
      throw StorageError.sourceMismatch(
        account: account, holding: "\(contents)", stored: stored, offered: source)
    }
  }

  /// Deletes an account with all that it holds.
  func delete(_ account: String) throws {
    let index = SearchIndex.invoices
    let row = "(SELECT row FROM account WHERE name = ?)"
    for sql in [
      """
      INSERT INTO \(index.name) (\(index.name), rowid, \(index.columnList))
      SELECT 'delete', search_key, \(index.columnList) FROM \(index.view)
      WHERE row IN (SELECT row FROM invoice WHERE account = \(row))
        AND row <= (SELECT indexed_row FROM search_state)
        AND row NOT IN (SELECT row FROM search_pending)
      """,
      """
      DELETE FROM search_pending WHERE row IN (SELECT row FROM invoice WHERE account = \(row))
      """,
      "DELETE FROM invoice WHERE account = \(row)", "DELETE FROM contact WHERE account = \(row)",
      "DELETE FROM seen WHERE account = \(row)", "DELETE FROM checkpoint WHERE account = \(row)",
      "DELETE FROM unreadable WHERE account = \(row)",
      "DELETE FROM run WHERE account_name = ?", "DELETE FROM account WHERE name = ?",
    ] {
      try db.execute(sql: sql, arguments: [account])
    }
    // The numbers of the last rows are given to others now.
    let last = try Int64.fetchOne(db, sql: "SELECT max(row) FROM invoice") ?? 0
    let state = SearchState(db: db)
    if try state.indexedRow() > last { try state.setIndexedRow(last) }
  }

  private func isEmpty(_ row: Int64) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT NOT EXISTS (SELECT 1 FROM invoice WHERE account = ?1)
            AND NOT EXISTS (SELECT 1 FROM contact WHERE account = ?1)
          """), arguments: [row]) ?? false
  }
}

extension String {
  /// Returns whether this source equals another one or is a more exact form of it, as
  /// `stripe:acct_1:live` is of `stripe:acct_1`.
  package func specifies(_ source: String) -> Bool {
    self == source || hasPrefix(source + ":")
  }
}
