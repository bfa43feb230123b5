import GRDB
public import Models

extension LocalDatabase {
  /// Returns the amounts due by account, currency, type and age, of the open and partially paid
  /// invoices that a query finds.
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
        let next = AgeingTotals(account: row["account"], currency: currency, type: type)
        if found.last.map({ !next.continues($0) }) ?? true { found.append(next) }
        let age = try StoredValue.required(DueAge.at(row["age"]))
        found[found.count - 1].set(age, count: row["count"], amountDue: due)
      }
      return found
    }
  }
}

extension AgeingTotals {
  /// Returns true if both have the same account, currency and type.
  fileprivate func continues(_ other: AgeingTotals) -> Bool {
    account == other.account && currency == other.currency && type == other.type
  }

  fileprivate mutating func set(_ age: DueAge, count: Int, amountDue: DecimalSum) {
    guard let index = buckets.firstIndex(where: { $0.age == age }) else { return }
    buckets[index].count = count
    buckets[index].amountDue = amountDue
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
    let age = DueAge.expression(on: day)
    let sql = """
      SELECT account.name AS account, invoice.currency AS currency, type, \(age.sql) AS age,
        count(*) AS count, decimal_sum(\(Schema.amountDue)) AS due
      FROM \(filter.source)\(filter.condition)
      GROUP BY account.row, currency, type, age ORDER BY account.name, currency, type, age
      """
    return (sql, age.arguments + filter.arguments)
  }
}
