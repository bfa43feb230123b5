import GRDB

extension InvoiceQuery {
  func statement(_ db: Database) throws -> (sql: String, arguments: StatementArguments) {
    let filter = try InvoiceFilter(self, sort: sort, db)
    let direction = isAscending ? "ASC" : "DESC"
    // The row ends ties, so that two calls give the same order.
    let order = filter.isInSearchOrder ? ["invoice_search.rowid"] : [sort.column, "invoice.row"]
    var sql =
      "SELECT invoice.*, account.name AS account_name FROM \(filter.source)\(filter.condition)"
      + " ORDER BY " + order.map { "\($0) \(direction)" }.joined(separator: ", ")
    var arguments = filter.arguments
    if let limit {
      sql += " LIMIT ?"
      arguments += [limit]
    }
    return (sql, arguments)
  }
}

extension InvoiceQuery.Sort {
  var column: String {
    switch self {
    case .issueDate: "issue_date"
    case .dueDate: "due_date"
    case .updatedAt: "updated_at"
    case .total: "total COLLATE decimal"
    case .number: "number"
    case .contact: "contact_name"
    case .stored: "invoice.row"
    }
  }
}
