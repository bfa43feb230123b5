import GRDB
import Models

extension LocalDatabase {
  /// Returns counts and exact sums by account, month of issue, currency and type, of the invoices
  /// that a query finds.
  ///
  /// Of each account the latest month comes first; invoices without a day of issue come last. The
  /// query's order and limit are ignored.
  ///
  /// - Throws: ``StorageError``.
  public func monthlyTotals(matching query: InvoiceQuery) async throws -> [MonthlyTotals] {
    let found = try await read(matching: query) { db, query in
      let (sql, arguments) = try query.summaryStatement(db)
      var months = GroupedSums<CalendarMonth?>()
      try db.forEachRow(sql: sql, arguments: arguments) { row in
        try months.add(&row) { row, _ in row.day().map(CalendarMonth.init(of:)) }
      }
      return months.sums
    }
    return found.map { key, sums in
      MonthlyTotals(
        account: key.account, month: key.group, currency: key.currency, type: key.type,
        count: sums.count, total: sums.total, amountDue: sums.amountDue)
    }.sorted { left, right in
      guard left.account == right.account else { return left.account < right.account }
      guard left.month == right.month else {
        return left.month.map { month in right.month.map { month > $0 } ?? true } ?? false
      }
      return (left.currency.code, left.type.rawValue) < (right.currency.code, right.type.rawValue)
    }
  }
}

extension InvoiceQuery {
  /// Returns the statement for sums by month, currency and type.
  func summaryStatement(
    _ db: Database
  ) throws -> (sql: String, arguments: StatementArguments) {
    let filter = try InvoiceFilter(self, sort: nil, db)
    let columns = GroupedSums<CalendarMonth?>.columns(
      account: "account.name", due: Schema.amountDue)
    return (
      "SELECT \(columns), issue_date FROM \(filter.source)\(filter.condition)", filter.arguments
    )
  }
}
