import Foundation
import GRDB
package import Models

/// The organisation whose records an account holds, and the access that was proved to read it.
package struct AccountOwner: Sendable, Equatable {
  /// The organisation, such as `stripe:acct_123:live`.
  package let source: String
  /// The sign-in, as an opaque text; `nil` if no run has recorded one yet.
  package let login: String?
  /// The address of each list that was proved to be the organisation's; absent if the provider
  /// states none.
  package var addresses: [Resource: String] = [:]

  /// Returns true if a list of the account now has another address than the proved one.
  ///
  /// If no run has recorded the address of the list, those of the other lists decide.
  package func isMoved(_ resource: Resource, in addresses: [Resource: String]) -> Bool {
    decisive(resource, in: addresses).contains { addresses[$0.key] != $0.value }
  }

  /// Returns true if a list of the account is now at another server than the proved one.
  ///
  /// The number of an organisation says nothing about the organisations of another server. As for
  /// ``isMoved(_:in:)``, the other lists decide if the address of the list is not recorded; a
  /// record without any address is trusted.
  package func isElsewhere(_ resource: Resource, in addresses: [Resource: String]) -> Bool {
    func origin(_ address: String?) -> Substring? {
      address.flatMap { address in
        address.firstRange(of: "://").map { scheme in
          address.prefix(upTo: scheme.upperBound)
            + address.suffix(from: scheme.upperBound).prefix { $0 != "/" && $0 != " " }
        }
      }
    }
    return decisive(resource, in: addresses).contains {
      origin(addresses[$0.key]) != origin($0.value)
    }
  }

  /// Returns the recorded address of a list, or those of the other lists if it has none.
  private func decisive(
    _ resource: Resource, in addresses: [Resource: String]
  ) -> [Resource: String] {
    let known = self.addresses.filter { addresses[$0.key] != nil }
    return known[resource] == nil ? known : known.filter { $0.key == resource }
  }

  /// Returns the addresses after a list was proved; those of the other lists stay.
  func addresses(proving resource: Resource, in new: [Resource: String]) -> [Resource: String] {
    var merged = new.merging(addresses) { $1 }
    merged[resource] = new[resource] ?? addresses[resource]
    return merged
  }
}

/// The number of records that an account holds, for messages.
package struct AccountContents: Sendable, Equatable, CustomStringConvertible {
  /// The number of invoices, deleted ones included.
  package let invoices: Int
  /// The number of contacts, deleted ones included.
  package let contacts: Int
  /// The number of payments, deleted ones included.
  package let payments: Int

  package init(invoices: Int, contacts: Int, payments: Int = 0) {
    (self.invoices, self.contacts, self.payments) = (invoices, contacts, payments)
  }

  /// The number of all records.
  package var all: Int { invoices + contacts + payments }

  /// True if the account holds no record.
  package var isEmpty: Bool { all == 0 }

  /// The numbers in words, such as `1 invoice and 2 contacts`.
  package var description: String {
    let parts = [(invoices, "invoice"), (payments, "payment"), (contacts, "contact")]
      .filter { $0.0 > 0 }.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }
    return parts.dropLast().joined(separator: ", ") + (parts.count > 1 ? " and " : "")
      + (parts.last ?? "")
  }
}

extension LocalDatabase {
  /// Returns the organisation whose records an account holds; `nil` before its first page.
  package func owner(account: String) async throws -> AccountOwner? {
    try await read { try AccountTable(db: $0).owner(account) }
  }

  /// Returns the sources of accounts' records, by the account's name; see ``AccountOwner/source``.
  package func sources() async throws -> [String: String] {
    try await read { db in
      let rows = try Row.fetchAll(db, sql: "SELECT name, source FROM account")
      return Dictionary(rows.map { ($0["name"], $0["source"]) }) { $1 }
    }
  }

  /// Replaces the name of the organisation whose records an account holds, because another version
  /// named it otherwise.
  package func renameSource(_ former: String, to source: String, account: String) async throws {
    try await write { db in
      try db.execute(
        sql: "UPDATE account SET source = ? WHERE name = ? AND source = ?",
        arguments: [source, account, former])
    }
  }

  /// Returns the number of records that an account holds.
  package func contents(account: String) async throws -> AccountContents {
    try await read { try AccountTable(db: $0).contents(account) }
  }

  /// Returns the accounts that hold records, by name.
  package func accountsWithRecords() async throws -> [String] {
    try await read { db in
      try String.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT name FROM account
            WHERE EXISTS (SELECT 1 FROM invoice WHERE invoice.account = account.row)
              OR EXISTS (SELECT 1 FROM contact WHERE contact.account = account.row)
              OR EXISTS (SELECT 1 FROM payment WHERE payment.account = account.row)
            ORDER BY name
            """))
    }
  }

  /// Records that a sign-in reads the organisation whose records an account holds, at the addresses
  /// of the provider's lists.
  package func noteSignIn(
    _ login: String, addresses: [Resource: String] = [:], account: String
  ) async throws {
    try await write { db in
      let known = try AccountTable(db: db).owner(account)?.addresses ?? [:]
      try db.execute(
        sql: "UPDATE account SET login = ?, addresses = ? WHERE name = ?",
        arguments: [login, AccountTable.text(of: known.merging(addresses) { $1 }), account])
    }
  }

  /// Deletes everything that is stored for an account.
  ///
  /// The caller holds the locks of the account's syncs: otherwise a sync in progress would continue
  /// in the middle of a list.
  package func forgetRecords(account: String) async throws {
    try await write { try AccountTable(db: $0).delete(account) }
  }
}

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
    return AccountContents(
      invoices: try count("invoice"), contacts: try count("contact"),
      payments: try count("payment"))
  }

  /// Returns the row of a page's account, and inserts it at the first page.
  ///
  /// The organisation of an account without records may change. The checkpoints, seen rows and
  /// unreadable records of the account are then deleted, because they belong to the lists of the
  /// previous organisation.
  ///
  /// - Throws: ``StorageError/sourceMismatch(account:holding:stored:offered:)``.
  func row(_ account: String, of page: PendingPage, resource: Resource) throws -> Int64 {
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
    let addresses = owner.addresses(proving: resource, in: page.addresses)
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
    try ChangeCounter(db: db).forget(account)
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
      "DELETE FROM payment WHERE account = \(row)",
      "DELETE FROM document WHERE account = \(row)",
      "DELETE FROM attachment_listing WHERE account = \(row)",
      "DELETE FROM seen WHERE account = \(row)", "DELETE FROM checkpoint WHERE account = \(row)",
      "DELETE FROM unreadable WHERE account = \(row)",
      "DELETE FROM run WHERE account_name = ?", "DELETE FROM account WHERE name = ?",
      "DELETE FROM organisation WHERE account_name = ?",
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
            AND NOT EXISTS (SELECT 1 FROM payment WHERE account = ?1)
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
