import GRDB
import Models

extension InvoiceQuery {
  func statement(_ db: Database) throws -> (sql: String, arguments: StatementArguments) {
    let parts = try parts(db)
    let filters = try parts.map { try InvoiceFilter($0, sort: sort, db) }
    let direction = isAscending ? "ASC" : "DESC"
    // The row ends ties, so that two calls give the same order.
    let row = parts.count > 1 ? "row" : "invoice.row"
    let order =
      filters.contains(where: \.isInSearchOrder) ? ["invoice_search.rowid"] : sort.columns + [row]
    var sql =
      filters.map {
        "SELECT invoice.*, account.name AS account_name FROM \($0.source)\($0.condition)"
      }.joined(separator: " UNION ALL ")
      + " ORDER BY " + order.map { "\($0) \(direction)" }.joined(separator: ", ")
    var arguments = filters.reduce(into: StatementArguments()) { $0 += $1.arguments }
    if let limit {
      sql += " LIMIT ?"
      arguments += [limit]
    }
    return (sql, arguments)
  }

  /// Queries of one account and one status each, which together find the same.
  ///
  /// The index has the invoices of each in the order of their days, and SQLite merges them: however
  /// few of however many are wanted, no more is looked at. Itself alone where it asks for another
  /// order, or another index finds the few that it can be about; and of more than fifty accounts,
  /// which are sorted.
  private func parts(_ db: Database) throws -> [InvoiceQuery] {
    guard sort == .issueDate || isOfDueDates(sort), !asksForWords else { return [self] }
    let accounts = try account.map { [$0] } ?? String.fetchAll(db, sql: "SELECT name FROM account")
    let parts = accounts.flatMap { account in
      (sort == .issueDate ? wantedStatuses.map { [$0] } : [wantedStatuses]).map { statuses in
        var part = self
        (part.account, part.statuses) = (account, Set(statuses))
        return part
      }
    }
    return parts.isEmpty || parts.count > Self.mostParts ? [self] : parts
  }

  /// SQLite puts no more than 500 queries together (https://sqlite.org/limits.html).
  private static let mostParts = 400
}

extension InvoiceQuery.Sort {
  var columns: [String] {
    switch self {
    case .issueDate: ["issue_date", "due_date"]
    case .dueDate: ["due_date"]
    case .updatedAt: ["updated_at"]
    case .total: ["total COLLATE decimal"]
    case .number: ["number"]
    case .contact: ["contact_name"]
    case .stored: []
    }
  }
}
