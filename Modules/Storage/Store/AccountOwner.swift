import GRDB

/// The organisation whose records an account holds, and the sign-in that was proved to read it.
package struct AccountOwner: Sendable, Equatable {
  /// The organisation, such as `stripe:acct_123:live`.
  package let source: String
  /// The sign-in, as an opaque text; `nil` if no run has recorded one yet.
  package let login: String?
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

  /// Records that a sign-in reads the organisation whose records an account holds.
  package func noteSignIn(_ login: String, account: String) async throws {
    try await write { db in
      try db.execute(
        sql: "UPDATE account SET login = ? WHERE name = ?", arguments: [login, account])
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
