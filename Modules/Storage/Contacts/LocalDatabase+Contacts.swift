import GRDB
public import Models

extension LocalDatabase {
  /// The store of contacts, for their sync.
  package var contactStore: ResourceStore<Contact> {
    ResourceStore(database: self, resource: .contacts, table: ContactTable.self)
  }

  /// Returns the contacts of one account or of all, ordered by name, without deleted ones.
  ///
  /// - Throws: ``StorageError``.
  public func contacts(account: String?) async throws -> [Contact] {
    try await read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT contact.* FROM contact JOIN account ON account.row = contact.account
          WHERE deleted_at IS NULL AND (?1 IS NULL OR account.name = ?1)
          ORDER BY contact.name, contact.row
          """, arguments: [account])
      var contacts: [Contact] = []
      while let row = try rows.next() {
        contacts.append(ContactTable.contact(row))
      }
      return contacts
    }
  }
}
