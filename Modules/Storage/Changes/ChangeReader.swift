import GRDB
package import Models

/// Reads the records that have changed, in the order of their commits, inside a transaction.
///
/// Records of one commit come by kind, in the order of ``ChangedKind``, and those that were
/// forgotten at last.
package struct ChangeReader {
  /// The identity of the database.
  package let database: String
  /// The number of the last commit that changed a record.
  package let last: Int64
  private let db: Database

  init(_ db: Database) throws {
    self.db = db
    let row = try StoredValue.required(
      Row.fetchOne(db, sql: "SELECT database, last FROM change_counter"))
    (database, last) = (row[0], row[1])
  }

  /// The position after all changes.
  package var end: ChangePosition { ChangePosition(database: database, change: last) }

  /// Returns true if a position is one of this database, and not of a later state of it.
  package func knows(_ position: ChangePosition) -> Bool {
    position.database == database && position.change <= last
  }

  /// Returns the lists that were read so far.
  package func listHistory() throws -> ListHistory {
    var isComplete: [String: [Resource: Bool]] = [:]
    let runs = try Row.fetchCursor(
      db,
      sql: """
        SELECT account_name, resource, max(result = 'complete') FROM run
        GROUP BY account_name, resource
        """)
    while let run = try runs.next() {
      guard let resource = Resource(rawValue: run[1]) else { continue }
      isComplete[run[0], default: [:]][resource] = run[2]
    }
    return ListHistory(isComplete: isComplete)
  }

  /// Calls a function with each change after a position, as of the transaction.
  ///
  /// - Parameters:
  ///   - position: `nil` for all records; what was forgotten is then left out.
  ///   - kinds: the kinds of records.
  ///   - accounts: the names of the accounts; `nil` for all that are stored.
  ///   - body: returns false to end after the records that belong to this change.
  /// - Returns: the position after the changes that were read, and whether there are more.
  package func forEach(
    after position: ChangePosition?, of kinds: Set<ChangedKind>, accounts: [String]?,
    _ body: (StoredChange) throws -> Bool
  ) throws -> (next: ChangePosition, hasMore: Bool) {
    let rows = try ChangedRows(db)
    let query = KeyQuery(position, kinds, accounts)
    let keys = try db.makeStatement(sql: query.sql)
    let found = try Row.fetchCursor(keys, arguments: query.arguments)
    let origin = position?.place?.origin ?? position?.change ?? 0
    let begun = position?.place?.last ?? last
    var next = end
    var isWanted = true
    while try found.next() != nil {
      guard isWanted else { return (next, true) }
      var values = RowValues(ColumnReader(keys))
      let kind = Int(try StoredValue.required(values.integer()))
      let row = try StoredValue.required(values.integer())
      next = ChangePosition(
        database: database, change: try StoredValue.required(values.integer()),
        place: .init(kind: kind, row: row, origin: origin, last: begun))
      guard kind < KeyQuery.forgotten else {
        // A reading of all records has not had it.
        if origin == 0, next.change <= begun { continue }
        let change = try rows.forgotten(row, at: next)
        if let change { isWanted = try body(change) }
        continue
      }
      let changed = ChangedKind.allCases[kind]
      if kinds.contains(changed),
        let change = try rows.change(changed, row, number: next.change, at: next)
      {
        isWanted = try body(change)
      }
      // What shows the contact's name has changed with it. This reading has the others of its
      // own, unless the contact changed after it began.
      guard changed == .contact else { continue }
      let limit = next.change > begun ? next.change - 1 : origin
      for other in [ChangedKind.invoice, .payment] where kinds.contains(other) {
        for (row, number) in try rows.showing(contact: row, other, upTo: limit) {
          if let change = try rows.change(other, row, number: number, at: next) {
            isWanted = try body(change) && isWanted
          }
        }
      }
    }
    return (end, false)
  }
}

/// The lists that were read so far.
package struct ListHistory {
  /// True for each list that was once read to its end, by account.
  fileprivate let isComplete: [String: [Resource: Bool]]

  /// Returns a list that was never read to its end, so that a reading of all records of a kind may
  /// lack some that the provider has; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - kind: the kind of records; of accounts, every list counts.
  ///   - accounts: the names of the accounts; `nil` for all that are stored or have `lists`.
  ///   - lists: the lists that the provider of an account has. Of an account without an entry, only
  ///     those that were begun are known.
  package func unreadList(
    _ kind: ChangedKind, accounts: [String]?, lists: [String: [Resource]]
  ) -> UnreadList? {
    let names = accounts ?? Array(Set(isComplete.keys).union(lists.keys))
    for name in names.sorted() {
      let known = isComplete[name] ?? [:]
      let wanted = (lists[name] ?? Array(known.keys)).filter {
        kind == .account || $0.kind == kind.resourceKind
      }
      for list in wanted.sorted(by: { $0.rawValue < $1.rawValue }) where known[list] != true {
        return UnreadList(account: name, resource: list)
      }
      if !known.values.contains(true) { return UnreadList(account: name, resource: nil) }
    }
    return names.isEmpty ? UnreadList(account: nil, resource: nil) : nil
  }
}

/// A list of a provider that was never read to its end.
package struct UnreadList: Sendable, Equatable {
  /// The account; `nil` if none is known.
  package let account: String?
  /// The list; `nil` if none of the account's was read.
  package let resource: Resource?

  package init(account: String?, resource: Resource?) {
    (self.account, self.resource) = (account, resource)
  }
}

/// The query for the keys of changed rows: the number of the kind, the row, the number of the
/// commit.
private struct KeyQuery {
  /// The number of the kind of rows that name what was forgotten.
  static let forgotten = ChangedKind.allCases.count

  let sql: String
  let arguments: StatementArguments

  init(_ position: ChangePosition?, _ kinds: Set<ChangedKind>, _ accounts: [String]?) {
    let names = accounts ?? []
    let marks = "(\(names.map { _ in "?" }.joined(separator: ", ")))"
    var parts: [String] = []
    var arguments = StatementArguments()
    func add(_ kind: Int, _ table: String, _ account: String, _ others: String = "") {
      // The sign keeps SQLite from an index that is not in the order of changes.
      let filter = accounts == nil ? "" : " AND \(account)"
      parts.append(
        """
        SELECT \(kind) AS kind, row, change FROM \(table)
        WHERE \(Self.isAfter(position, kind))\(filter)\(others)
        """)
      arguments += StatementArguments(names)
    }
    // The names of contacts are shown by the others.
    let needsContacts = position != nil && !kinds.isDisjoint(with: [.invoice, .payment])
    for (number, kind) in ChangedKind.allCases.enumerated() {
      guard kinds.contains(kind) || kind == .contact && needsContacts else { continue }
      add(
        number, "\(kind)",
        kind == .account
          ? "+name IN \(marks)" : "+account IN (SELECT row FROM account WHERE name IN \(marks))")
    }
    if position != nil {
      let kinds = kinds.map { "'\($0)'" }.sorted().joined(separator: ", ")
      add(Self.forgotten, "forgotten", "account IN \(marks)", " AND kind IN (\(kinds))")
    }
    // SQLite merges the parts, each in the order of its index, and sorts no more than a commit.
    sql = parts.joined(separator: "\nUNION ALL ") + "\nORDER BY 3, 1, 2"
    self.arguments = arguments
  }

  private static func isAfter(_ position: ChangePosition?, _ kind: Int) -> String {
    guard let position else { return "change > 0" }
    guard let place = position.place, kind >= place.kind else {
      return "change > \(position.change)"
    }
    return kind == place.kind
      ? "(change, row) > (\(position.change), \(place.row))" : "change >= \(position.change)"
  }
}

/// Reads changed records by their rows.
private struct ChangedRows {
  private let db: Database
  private let invoices: InvoiceRow
  private let payments: PaymentReader
  private let contact: BoundStatement
  private let payment: BoundStatement
  private let account: BoundStatement
  private let shown: [ChangedKind: BoundStatement]

  init(_ db: Database) throws {
    self.db = db
    invoices = try InvoiceRow(db, InvoiceQuery())
    payments = try PaymentReader(db)
    contact = try BoundStatement(
      db,
      """
      SELECT \(ContactTable.selected), deleted_at, deleted_reason, account.name
      FROM contact JOIN account ON account.row = contact.account WHERE contact.row = ?
      """)
    payment = try BoundStatement(
      db,
      """
      SELECT \(PaymentReader.columns) FROM payment
      JOIN account ON account.row = payment.account WHERE payment.row = ?
      """)
    account = try BoundStatement(
      db,
      """
      SELECT account.name, source, organisation.id, organisation.name FROM account
      LEFT JOIN organisation ON account_name = account.name WHERE row = ?
      """)
    func showing(_ table: ChangedKind, _ condition: String) throws -> BoundStatement {
      try BoundStatement(
        db,
        """
        SELECT other.row, other.change FROM contact CROSS JOIN \(table) AS other ON \(condition)
          AND other.account = contact.account AND other.contact_id = contact.id
        WHERE contact.row = ? AND other.contact_name IS NULL AND other.change <= ?
        """)
    }
    let end = Schema.identifierEnd
    shown = [
      .invoice: try showing(.invoice, "\(end("other.contact_id")) = \(end("contact.id"))"),
      .payment: try showing(.payment, "other.contact_id IS NOT NULL"),
    ]
  }

  /// Returns the rows that show the name of a contact, each with its own number, which is not
  /// larger than `change`.
  func showing(
    contact row: Int64, _ kind: ChangedKind, upTo change: Int64
  ) throws -> [(row: Int64, number: Int64)] {
    guard let statement = shown[kind] else { return [] }
    try statement.bind(row, at: 1)
    try statement.bind(change, at: 2)
    var rows: [(Int64, Int64)] = []
    try statement.forEachRow {
      if let row = $0.integer(at: 0), let number = $0.integer(at: 1) { rows.append((row, number)) }
    }
    return rows
  }

  /// Returns a record; `number` is that of the commit that last changed it.
  func change(
    _ kind: ChangedKind, _ row: Int64, number: Int64, at position: ChangePosition
  ) throws -> StoredChange? {
    func change(
      _ account: String, _ id: String, _ record: StoredChange.Record,
      _ deletedAt: Timestamp? = nil, _ reason: String? = nil
    ) -> StoredChange {
      StoredChange(
        kind: kind, account: account, id: id, record: record, deletedAt: deletedAt,
        deletedReason: reason, change: number, position: position)
    }
    switch kind {
    case .invoice:
      guard let stored = try invoices.invoice(InvoiceKey(row: row)) else { return nil }
      return change(
        stored.account, stored.invoice.id, .invoice(stored), stored.deletedAt,
        stored.deletedReason)
    case .payment:
      try payment.bind(row, at: 1)
      return try payment.first { columns in
        var values = RowValues(columns)
        let stored = try payments.stored(&values)
        return change(
          stored.account, stored.payment.id, .payment(stored), stored.deletedAt,
          stored.deletedReason)
      }
    case .contact:
      try contact.bind(row, at: 1)
      return try contact.first { columns in
        var values = RowValues(columns)
        let contact = try ContactTable.contact(&values)
        let (deletedAt, reason) = (values.instant(), values.text())
        let account = try StoredValue.required(values.text())
        return change(account, contact.id, .contact(contact), deletedAt, reason)
      }
    case .account:
      try account.bind(row, at: 1)
      return try account.first { columns in
        var values = RowValues(columns)
        let name = try StoredValue.required(values.text())
        let source = try StoredValue.required(values.text())
        let record = StoredChange.Record.account(
          source: source, organisationID: values.text(), organisation: values.text())
        return change(name, name, record)
      }
    }
  }

  /// Returns what was forgotten; `nil` if it is stored again.
  func forgotten(_ row: Int64, at position: ChangePosition) throws -> StoredChange? {
    let found = try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT kind, account, id, change, forgotten_at FROM forgotten WHERE row = ?"),
      arguments: [row])
    guard let found, let kind = ChangedKind(rawValue: found[0]) else { return nil }
    let (account, id): (String, String) = (found[1], found[2])
    let isStored = try Bool.fetchOne(
      db.cachedStatement(
        sql: kind == .account
          ? "SELECT EXISTS (SELECT 1 FROM account WHERE name = ?1 AND name = ?2)"
          : """
          SELECT EXISTS (SELECT 1 FROM \(kind)
            WHERE account = (SELECT row FROM account WHERE name = ?1) AND id = ?2)
          """), arguments: [account, id])
    guard isStored == false else { return nil }
    return StoredChange(
      kind: kind, account: account, id: id, record: nil,
      deletedAt: Timestamp(microsecondsSinceEpoch: found[4]), deletedReason: "forgotten",
      change: found[3], position: position)
  }
}
