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

  /// True if the account holds no record.
  package var isEmpty: Bool { invoices + contacts == 0 }

  /// Both numbers in words, such as `1 invoice and 2 contacts`.
  package var description: String {
    [(invoices, "invoice"), (contacts, "contact")].filter { $0.0 > 0 }
      .map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: " and ")
  }
}

extension LocalDatabase {
  /// Returns the organisation whose records an account holds; `nil` before its first page.
  package func owner(account: String) async throws -> AccountOwner? {
    try await read { try AccountTable(db: $0).owner(account) }
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

  /// Returns the accounts that hold invoices, by name.
  package func accountsWithInvoices() async throws -> [String] {
    try await read { db in
      try String.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT name FROM account
            WHERE EXISTS (SELECT 1 FROM invoice WHERE invoice.account = account.row)
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
