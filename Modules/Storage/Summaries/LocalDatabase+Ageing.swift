import GRDB
public import Models

extension LocalDatabase {
  /// Returns the amounts due by currency, type and age, of the open and partially paid invoices
  /// that a query finds.
  ///
  /// The query's order and limit are ignored.
  ///
  /// - Parameters:
  ///   - query: selects the invoices.
  ///   - day: the day from which ages are counted, usually today.
  /// - Throws: ``StorageError``.
  public func ageing(
    matching query: InvoiceQuery, on day: CalendarDate
  ) async throws -> [AgeingTotals] {
    try await read(matching: query) { db, query in
      let (sql, arguments) = try query.ageingStatement(on: day, db)
      var found: [AgeingTotals] = []
      for row in try Row.fetchAll(db, sql: sql, arguments: arguments) {
        guard let currency = Currency(code: row["currency"]),
          let type = InvoiceType(rawValue: row["type"]), let due = DecimalSum(row["due"])
        else { throw StoredValue.damage }
        if found.last?.currency != currency || found.last?.type != type {
          found.append(AgeingTotals(currency: currency, type: type))
        }
        let (last, age) = (found.count - 1, row["age"] as Int)
        found[last].buckets[age].count = row["count"]
        found[last].buckets[age].amountDue = due
      }
      return found
    }
  }
}

extension InvoiceQuery {
  /// Returns the statement for amounts due by currency, type and age.
  ///
  /// An age is the index of its bucket.
  func ageingStatement(
    on day: CalendarDate, _ db: Database
  ) throws -> (sql: String, arguments: StatementArguments) {
    var unpaid = self
    unpaid.statuses = (statuses ?? Self.unpaid).intersection(Self.unpaid)
    unpaid.includesVoidAndDeleted = false
    let filter = try InvoiceFilter(unpaid, sort: .dueDate, db)
    // Days are texts of one length, so that they compare as texts.
    let limits = [0, -30, -60, -90].map { day.adding(days: $0)?.description ?? "0001-01-01" }
    let sql = """
      SELECT currency, type,
        CASE WHEN due_date IS NULL THEN 5 WHEN due_date > ? THEN 0 WHEN due_date >= ? THEN 1
          WHEN due_date >= ? THEN 2 WHEN due_date >= ? THEN 3 ELSE 4 END AS age,
        count(*) AS count, decimal_sum(amount_due) AS due
      FROM \(filter.source)\(filter.condition)
      GROUP BY currency, type, age ORDER BY currency, type, age
      """
    return (sql, StatementArguments(limits) + filter.arguments)
  }
}
