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
    case .number: ["number"]
    case .contact: ["shown_contact"]
    case .stored: []
    }
  }
}
