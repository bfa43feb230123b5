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
    try await read { try Self.forEachContact(matching: query, $0, body) }
  }

  /// Finds contacts.
  ///
  /// - Throws: ``StorageError``.
  public func contacts(matching query: ContactQuery) async throws -> [StoredContact] {
    try await read { db in
      var found: [StoredContact] = []
      try Self.forEachContact(matching: query, db) { found.append($0) }
      return found
    }
  }

  private static func forEachContact(
    matching query: ContactQuery, _ db: Database, _ body: (StoredContact) throws -> Void
  ) throws {
    let (sql, arguments) = try query.withoutBalances.statement(db)
    guard query.asksForBalances else {
      return try db.forEachRow(sql: sql, arguments: arguments) { row in
        try body(try Self.storedContact(&row))
      }
    }
    var found = try db.allRows(sql: sql, arguments: arguments) { try Self.storedContact(&$0) }
    if query.isOwing { found.removeAll { $0.receivable == nil } }
    if query.sort == .receivable {
      found.sort { $0.precedes($1, isAscending: query.isAscending) }
    }
    try found.dropFirst(query.offset).prefix(query.limit ?? found.count).forEach(body)
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
      (all.limit, all.offset) = (nil, 0)
      return try await contacts(matching: all).count
    }
    return try await read { db in
      let (condition, arguments) = query.filter
      return try Int.fetchOne(
        db, sql: "SELECT count(*) FROM contact \(condition)", arguments: arguments) ?? 0
    }
  }

  /// Reads a contact, and the sums of its invoices, such as `EUR invoice 3 119.00;USD bill 1 0`.
  private static func storedContact(_ row: inout RowValues) throws -> StoredContact {
    let contact = try ContactTable.contact(&row)
    let (deletedAt, deletedReason) = (row.instant(), row.text())
    let account = try StoredValue.required(row.text())
    var count = 0
    var balances: [String: ContactBalance] = [:]
    for sum in (row.text() ?? "").split(separator: ";") {
      let parts = sum.split(separator: " ").map(String.init)
      guard parts.count == 4, let currency = Currency(code: parts[0]),
        let type = InvoiceType(rawValue: parts[1]), let number = Int(parts[2]),
        let due = DecimalSum(parts[3])
      else { throw StoredValue.damage }
      count += number
      balances[currency.code, default: ContactBalance(currency)].add(due, of: type)
    }
    return StoredContact(
      account: account, contact: contact, deletedAt: deletedAt, deletedReason: deletedReason,
      invoiceCount: count,
      balances: balances.values.filter { !$0.receivable.isZero || !$0.payable.isZero }
        .sorted { $0.currency.code < $1.currency.code })
  }
}

extension ContactQuery {
  /// True if the amounts decide which contacts are found, or their order; no column has them.
  fileprivate var asksForBalances: Bool { isOwing || sort == .receivable }

  /// The query of all contacts among which the amounts decide.
  fileprivate var withoutBalances: ContactQuery {
    var query = self
    if asksForBalances { (query.limit, query.offset) = (nil, 0) }
    return query
  }
}

extension StoredContact {
  /// The first balance, by currency, with an amount that the contact has to pay.
  fileprivate var receivable: ContactBalance? { balances.first { $0.receivable > .zero } }

  /// Returns true if the contact stands before another one, by currency and by amount within it.
  ///
  /// One that owes nothing counts as the smallest.
  fileprivate func precedes(_ other: StoredContact, isAscending: Bool) -> Bool {
    guard let mine = receivable, let others = other.receivable else {
      return isAscending
        ? receivable == nil && other.receivable != nil
        : receivable != nil && other.receivable == nil
    }
    guard mine.currency == others.currency else {
      return mine.currency.code < others.currency.code
    }
    return isAscending
      ? mine.receivable < others.receivable : others.receivable < mine.receivable
  }
}
