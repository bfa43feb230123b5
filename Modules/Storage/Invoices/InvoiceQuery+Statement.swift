import GRDB
import Models

extension InvoiceQuery {
  func statement(_ db: Database) throws -> (sql: String, arguments: StatementArguments) {
    var conditions: [String] = []
    var arguments = StatementArguments()
    func require(_ condition: String, _ values: StatementArguments) {
      conditions.append(condition)
      arguments += values
    }
    if let account {
      // In the order of the rows no index is of use; without the sign SQLite would take one and sort.
      let column = sort == .stored ? "+invoice.account" : "invoice.account"
      require("\(column) = (SELECT row FROM account WHERE name = ?)", [account])
    }
    if let statuses {
      let names = statuses.map(\.rawValue).sorted()
      require(
        "status IN (\(names.map { _ in "?" }.joined(separator: ", ")))", StatementArguments(names))
    }
    if !includesVoidAndDeleted {
      require("status NOT IN ('void', 'deleted') AND deleted_at IS NULL", [])
    }
    if let contact {
      require("(contact_id = ? OR instr(lower(contact_name), lower(?)) > 0)", [contact, contact])
    }
    // The row ends ties, so that two calls give the same order.
    var order = [sort.column, "invoice.row"]
    var source = "invoice"
    if let words = try SearchExpression(search)?.text(db) {
      let row = "invoice_search.rowid & \((1 << SearchIndex.rowBits) - 1)"
      if sort == .issueDate {
        // The index has them in this order: the first are found without a look at the rest.
        source = "invoice_search CROSS JOIN invoice ON invoice.row = \(row)"
        order = ["invoice_search.rowid"]
        require("invoice_search MATCH ?", [words])
      } else {
        require(
          "invoice.row IN (SELECT \(row) FROM invoice_search WHERE invoice_search MATCH ?)", [words]
        )
      }
    }
    if let dueBefore {
      require(
        "due_date < ? AND status IN ('open', 'partially-paid')", [dueBefore.description])
    }
    if let issuedFrom { require("issue_date >= ?", [issuedFrom.description]) }
    if let issuedThrough { require("issue_date <= ?", [issuedThrough.description]) }
    let direction = isAscending ? "ASC" : "DESC"
    var sql = """
      SELECT invoice.*, account.name AS account_name FROM \(source)
      JOIN account ON account.row = invoice.account
      """
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    sql += " ORDER BY " + order.map { "\($0) \(direction)" }.joined(separator: ", ")
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
