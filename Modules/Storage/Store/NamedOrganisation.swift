import GRDB

/// The organisation of an account, as the provider names it.
package struct NamedOrganisation: Sendable, Equatable {
  /// The provider's identifier.
  package let id: String
  /// The name.
  package let name: String

  package init(id: String, name: String) {
    (self.id, self.name) = (id, name)
  }
}

extension LocalDatabase {
  /// Returns the organisations of accounts, by the account's name.
  package func organisations() async throws -> [String: NamedOrganisation] {
    try await read { db in
      let rows = try Row.fetchAll(db, sql: "SELECT account_name, id, name FROM organisation")
      return Dictionary(
        rows.map { ($0["account_name"], NamedOrganisation(id: $0["id"], name: $0["name"])) }
      ) { $1 }
    }
  }

  /// Returns the organisation of an account; `nil` if none is stored.
  package func organisation(account: String) async throws -> NamedOrganisation? {
    try await read { db in
      try Row.fetchOne(
        db.cachedStatement(sql: "SELECT id, name FROM organisation WHERE account_name = ?"),
        arguments: [account]
      ).map { NamedOrganisation(id: $0["id"], name: $0["name"]) }
    }
  }

  /// Stores the organisation of an account, or removes it if it is `nil`.
  package func setOrganisation(_ organisation: NamedOrganisation?, account: String) async throws {
    try await write { db in
      guard let organisation else {
        return try db.execute(
          sql: "DELETE FROM organisation WHERE account_name = ?", arguments: [account])
      }
      try db.execute(
        sql: """
          INSERT INTO organisation (account_name, id, name) VALUES (?, ?, ?)
          ON CONFLICT DO UPDATE SET id = excluded.id, name = excluded.name
            WHERE id <> excluded.id OR name <> excluded.name
          """,
        arguments: [account, organisation.id, organisation.name])
    }
  }

  /// Returns the other accounts whose records are those of an account's organisation, by name.
  package func accounts(withSourceOf account: String) async throws -> [String] {
    try await read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT name FROM account
          WHERE name <> ?1 AND source = (SELECT source FROM account WHERE name = ?1) ORDER BY name
          """, arguments: [account])
    }
  }

  /// Gives everything that is stored of an account to another name, in one transaction.
  ///
  /// The caller holds the locks of the account's syncs.
  ///
  /// - Returns: false if nothing was stored of it.
  /// - Throws: ``StorageError``; ``AccountTaken`` if the other name holds records.
  package func renameAccount(_ former: String, to name: String) async throws -> Bool {
    try await write { db in
      let table = AccountTable(db: db)
      let isKnown = try table.owner(former) != nil
      if isKnown {
        guard try table.contents(name).isEmpty else { throw AccountTaken() }
        // Runs that failed for want of a login, and no record.
        try table.delete(name)
        try ChangeCounter(db: db).forget(former, renaming: true)
        try db.execute(
          sql: "UPDATE account SET name = ? WHERE name = ?", arguments: [name, former])
      }
      try db.execute(
        sql: "UPDATE run SET account_name = ? WHERE account_name = ?", arguments: [name, former])
      try db.execute(
        sql: "UPDATE OR REPLACE organisation SET account_name = ? WHERE account_name = ?",
        arguments: [name, former])
      return isKnown
    }
  }
}

/// The other name of a renamed account holds records of its own.
package struct AccountTaken: Error {}
