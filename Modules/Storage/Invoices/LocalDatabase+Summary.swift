import GRDB
import Models

extension LocalDatabase {
  /// Returns counts and exact sums by month of issue, currency and type, of the invoices that a
  /// query finds.
  ///
  /// The latest month comes first; invoices without a day of issue come last. The query's order and
  /// limit are ignored.
  ///
  /// - Throws: ``StorageError``.
  public func monthlyTotals(matching query: InvoiceQuery) async throws -> [MonthlyTotals] {
    try await read(matching: query) { db, query in
      let (sql, arguments) = try query.summaryStatement(db)
      return try Row.fetchAll(db, sql: sql, arguments: arguments).map { row in
        guard let currency = Currency(code: row["currency"]),
          let type = InvoiceType(rawValue: row["type"]), let total = DecimalSum(row["total"]),
          let due = DecimalSum(row["due"])
        else {
          throw DatabaseError(
            resultCode: .SQLITE_CORRUPT, message: "a sum of invoices cannot be read")
        }
        return MonthlyTotals(
          month: (row["month"] as String?).flatMap { CalendarMonth($0) }, currency: currency,
          type: type, count: row["count"], total: total, amountDue: due)
      }
    }
  }
}

extension InvoiceQuery {
  /// Returns the statement for sums by month, currency and type.
  func summaryStatement(
    _ db: Database
  ) throws -> (sql: String, arguments: StatementArguments) {
    let filter = try InvoiceFilter(self, sort: nil, db)
    let sql = """
      SELECT substr(issue_date, 1, 7) AS month, currency, type, count(*) AS count,
        decimal_sum(total) AS total, decimal_sum(amount_due) AS due
      FROM \(filter.source)\(filter.condition)
      GROUP BY month, currency, type ORDER BY month DESC, currency, type
      """
    return (sql, filter.arguments)
  }
}
