import GRDB
public import Models

extension LocalDatabase {
  /// Where the sync of contacts stores them.
  package var contactStore: ResourceStore<Contact> {
    ResourceStore(database: self, resource: "contacts", table: ContactTable.self)
  }

  /// The contacts of an account, deleted ones not among them, by name.
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
        var contact = Contact(
          id: row["id"], status: ContactStatus(rawValue: row["status"]) ?? .unknown,
          rawStatus: row["raw_status"])
        contact.name = row["name"]
        contact.email = row["email"]
        contact.phone = row["phone"]
        contact.taxNumber = row["tax_number"]
        contact.isCustomer = row["is_customer"]
        contact.isSupplier = row["is_supplier"]
        contact.updatedAt = (row["updated_at"] as Int64?)
          .map(Timestamp.init(microsecondsSinceEpoch:))
        contacts.append(contact)
      }
      return contacts
    }
  }
}
