import GRDB
import Models

extension InvoiceQuery {
  /// The columns for the keys of the invoices and for their order, which a merge of several queries
  /// has to return.
  var keyColumns: String {
    "invoice.row AS row, issue_date, due_date"
      + (sort == .contact ? ", " + InvoiceReader.shownContact : "")
  }

  /// Returns the keys of the invoices that are found, in their order.
  func keys(_ db: Database) throws -> [InvoiceKey] {
    let (sql, arguments) = try statement(db, selecting: keyColumns)
    let rows = try Int64.fetchCursor(db, sql: sql, arguments: arguments)
    var keys: [InvoiceKey] = []
    while let row = try rows.next() { keys.append(InvoiceKey(row: row)) }
    return keys
  }

  func statement(
    _ db: Database, selecting columns: String = InvoiceReader.columns
  ) throws -> (sql: String, arguments: StatementArguments) {
    let parts = try parts(db)
    let filters = try parts.map { try InvoiceFilter($0, sort: sort, db) }
    let direction = isAscending ? "ASC" : "DESC"
    // The row breaks ties, so that two calls return the same order.
    let row = parts.count > 1 ? "row" : "invoice.row"
    let order =
      if filters.contains(where: \.isInSearchOrder) { ["invoice_search.rowid"] }
      // The same order, whether or not the search index has all words.
      else if sort == .issueDate, SearchExpression(search) != nil { ["issue_date", row] } else {
        sort.columns + [row]
      }
    var sql =
      filters.map {
        "SELECT \(columns) FROM \($0.source)\($0.condition)"
      }.joined(separator: " UNION ALL ")
      + " ORDER BY " + order.map { "\($0) \(direction)" }.joined(separator: ", ")
    var arguments = filters.reduce(into: StatementArguments()) { $0 += $1.arguments }
    if limit != nil || offset > 0 {
      // SQLite takes a negative limit for none.
      sql += " LIMIT ? OFFSET ?"
      arguments += [limit ?? -1, offset]
    }
    return (sql, arguments)
  }

  /// Returns queries of one account and one status each, which together find the same invoices.
  ///
  /// The index has the invoices of each query in the order of their days, and SQLite merges them:
  /// it reads no more rows than are wanted. The result is the query itself if it has another order,
  /// if another index finds its few invoices, if there are more than fifty accounts, or while a
  /// first sync stores without the index; SQLite then sorts.
  private func parts(_ db: Database) throws -> [InvoiceQuery] {
    guard sort == .issueDate || isOfDueDates(sort), !asksForWords,
      try InvoiceIndexes(db: db).missing().isEmpty
    else { return [self] }
    let accounts = try accounts ?? String.fetchAll(db, sql: "SELECT name FROM account")
    let parts = accounts.flatMap { account in
      (sort == .issueDate ? wantedStatuses.map { [$0] } : [wantedStatuses]).map { statuses in
        var part = self
        (part.account, part.statuses) = (account, Set(statuses))
        return part
      }
    }
    return parts.isEmpty || parts.count > Self.mostParts ? [self] : parts
  }

  /// The largest number of queries; SQLite combines at most 500 (https://sqlite.org/limits.html).
  private static let mostParts = 400
}

extension InvoiceQuery.Sort {
  var columns: [String] {
    switch self {
    case .issueDate: ["issue_date", "due_date"]
    case .dueDate: ["due_date"]
    case .updatedAt: ["updated_at"]
    case .total: ["currency", "total COLLATE decimal"]
    case .amountDue: ["currency", "(\(Schema.amountDue)) COLLATE decimal"]
    case .number: ["number"]
    case .contact: ["shown_contact"]
    case .stored: []
    }
  }
}

// The index that finds what a query asks for.
extension InvoiceQuery {
  static let statusIndex = "invoice_by_status"
  static let deletionIndex = "invoice_by_deletion"
  static let dueDateIndex = "invoice_by_due_date"
  static let changeIndex = "invoice_by_updated_at"

  /// The statuses that a matching invoice may have, in the order of their declaration.
  var wantedStatuses: [InvoiceStatus] {
    InvoiceStatus.allCases.filter { status in
      (statuses?.contains(status)
        ?? (includesVoidAndDeleted || ![.void, .deleted].contains(status)))
        && (dueBefore == nil || Self.unpaid.contains(status))
        && !(issuedOnly && Self.unissued.contains(status))
    }
  }

  /// True if the query asks for deleted invoices by their status: all of them, whatever status they
  /// had.
  var asksForDeleted: Bool { statuses != nil && wantedStatuses.contains(.deleted) }

  /// True if the query asks for a contact or for words.
  var asksForWords: Bool {
    !(contact?.isEmpty ?? true) || SearchExpression(search) != nil
  }

  /// Returns whether the query finds only unpaid invoices, in the order of their due dates.
  func isOfDueDates(_ sort: Sort?) -> Bool {
    sort == .dueDate && !includesVoidAndDeleted && Self.unpaid.isSuperset(of: wantedStatuses)
  }

  /// Returns the index that the query has to use; `nil` if SQLite finds the right one.
  ///
  /// Of an account's invoices, nearly all are paid, if not void: a query for other statuses, or for
  /// some days, matches few. Any other sum over an account reads all of its rows. Most were stored
  /// in the order in which they had changed, so that their pages follow one another: by days, each
  /// row is on another page, which takes five times as long.
  func index(_ sort: Sort?) -> String? {
    guard !asksForWords, sort != .stored else { return nil }
    if asksForDeleted { return wantedStatuses == [.deleted] ? Self.deletionIndex : nil }
    if isOfDueDates(sort) { return Self.dueDateIndex }
    let isOfDays = issuedFrom != nil || issuedThrough != nil
    let isOrdered = sort == .issueDate && statuses?.count == 1
    if isOfDays || isOrdered || !wantedStatuses.contains(.paid) { return Self.statusIndex }
    return sort == nil && accounts != nil ? Self.changeIndex : nil
  }

  /// Returns the index that has to be used, if there is one and a first sync has created it.
  func existingIndex(_ sort: Sort?, _ db: Database) throws -> String? {
    guard let index = index(sort),
      try !InvoiceIndexes(db: db).missing().contains(where: { $0.name == index })
    else { return nil }
    return index
  }

  static let unpaid: Set<InvoiceStatus> = [.open, .partiallyPaid]
  /// The statuses of documents that were never issued, or that do not count any more.
  static let unissued: [InvoiceStatus] = [.draft, .scheduled, .void, .deleted]
}
