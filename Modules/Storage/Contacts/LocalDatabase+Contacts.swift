import GRDB
public import Models

extension LocalDatabase {
  /// The store of contacts, for their sync.
  package var contactStore: ResourceStore<Contact> { contactStore(of: .contacts) }

  /// The store of a list of contacts, for its sync.
  package func contactStore(of resource: Resource) -> ResourceStore<Contact> {
    ResourceStore(database: self, resource: resource, table: ContactTable.self)
  }

  /// Returns the contacts of one account or of all, ordered by name, without deleted ones.
  ///
  /// - Throws: ``StorageError``.
  public func contacts(account: String?) async throws -> [Contact] {
    try await read { db in
      try db.allRows(
        sql: """
          SELECT \(ContactTable.selected)
          FROM contact JOIN account ON account.row = contact.account
          WHERE deleted_at IS NULL AND (?1 IS NULL OR account.name = ?1)
          ORDER BY contact.name, contact.row
          """, arguments: [account]
      ) { try ContactTable.contact(&$0) }
    }
  }

  /// Calls a function with each contact that a query finds, however many, as of one moment.
  ///
  /// - Parameters:
  ///   - query: selects and orders the contacts.
  ///   - body: the function; it runs on a thread that it may block, and the reading waits for it.
  ///     An error that it throws ends the reading.
  /// - Throws: ``StorageError``, and what `body` throws.
  public func forEachContact(
    matching query: ContactQuery, _ body: @escaping @Sendable (StoredContact) throws -> Void
  ) async throws {
    try await read { db in
      try FoundContact.forEach(matching: query, db) { try body($0.contact) }
    }
  }

  /// Finds contacts.
  ///
  /// - Throws: ``StorageError``.
  public func contacts(matching query: ContactQuery) async throws -> [StoredContact] {
    try await contactPage(matching: query).contacts
  }

  /// Finds the contacts with an identifier, or else those with a name whatever its case, or else
  /// those with words in their name or e-mail address, or whose identifier starts with the text, if
  /// it has eight characters or more.
  ///
  /// Deleted contacts are found by their identifier only.
  ///
  /// - Returns: at most ten contacts.
  /// - Throws: ``StorageError``.
  public func contacts(named text: String, account: String?) async throws -> [StoredContact] {
    var query = ContactQuery()
    (query.account, query.search, query.includesDeleted) = (account, text, true)
    let found = try await contacts(matching: query)
    let same = found.filter { $0.contact.id == text }
    guard same.isEmpty else { return Array(same.prefix(10)) }
    let live = found.filter { $0.deletedAt == nil }
    let named = live.filter { $0.contact.name?.lowercased() == text.lowercased() }
    guard live.isEmpty else { return Array((named.isEmpty ? live : named).prefix(10)) }
    return Array(
      found.filter { ShortIdentifier(text) != nil && $0.contact.id.hasPrefix(text) }
        .prefix(10))
  }

  /// Returns the number of contacts that a query finds; its limit is ignored.
  ///
  /// - Throws: ``StorageError``.
  public func contactCount(matching query: ContactQuery) async throws -> Int {
    guard !query.isOwing else {
      var all = query
      (all.limit, all.offset, all.after) = (nil, 0, nil)
      return try await contacts(matching: all).count
    }
    return try await read { db in
      let (condition, arguments) = query.filter
      return try Int.fetchOne(
        db, sql: "SELECT count(*) FROM contact \(condition)", arguments: arguments) ?? 0
    }
  }
}
