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
    unpaid.keepUnpaid()
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

/// The amounts due of unpaid invoices that share type and currency, by the days since they were
/// due.
public struct AgeingTotals: Sendable, Equatable {
  /// The number of invoices of an age, and the sum of their amounts due.
  public struct Bucket: Sendable, Equatable {
    /// The age.
    public let age: DueAge
    /// The number of invoices.
    public internal(set) var count = 0
    /// The sum of the amounts due.
    ///
    /// An open invoice counts with its total if the provider does not state what is due.
    public internal(set) var amountDue = DecimalSum.zero
  }

  /// The account, whose invoices are never added to those of another one.
  public let account: String
  /// The shared currency.
  public let currency: Currency
  /// The shared type.
  public let type: InvoiceType
  /// A bucket for each age, in the order of their declaration.
  public internal(set) var buckets = DueAge.allCases.map { Bucket(age: $0) }

  init(account: String, currency: Currency, type: InvoiceType) {
    (self.account, self.currency, self.type) = (account, currency, type)
  }

  /// The number of invoices of every age.
  public var count: Int { buckets.map(\.count).reduce(0, +) }

  /// The sum of the amounts due of every age.
  public var amountDue: DecimalSum {
    buckets.reduce(into: DecimalSum.zero) { $0.add($1.amountDue) }
  }
}

/// The age of an amount due: the number of days since its due date, as a range.
///
/// Every sum by age uses these ranges. An invoice is late from the day after its due date on.
public enum DueAge: String, Sendable, Hashable, CaseIterable {
  /// Due on the day of the report or later.
  case notDue = "not-due"
  /// 1 to 30 days late.
  case upTo30 = "1-30"
  /// 31 to 60 days late.
  case upTo60 = "31-60"
  /// 61 to 90 days late.
  case upTo90 = "61-90"
  /// More than 90 days late.
  case over90 = "over-90"
  /// Without a due date.
  case undated

  /// True if payment is late.
  public var isOverdue: Bool { self != .notDue && self != .undated }

  /// The last days of the ages in which payment is late; the last one has no end.
  private static let ends = [30, 60, 90]

  /// Returns the SQL expression for an invoice's age on a day, as an index of ``allCases``.
  static func expression(on day: CalendarDate) -> (sql: String, arguments: StatementArguments) {
    // Days are texts of one length, so that they compare as texts. The calendar has an end, and no
    // invoice is older.
    let starts = ([0] + ends).map {
      CalendarDate(daysSinceEpoch: day.daysSinceEpoch - $0)?.description ?? ""
    }
    let ages = starts.indices.map { "WHEN due_date >= ? THEN \($0) " }.joined()
    return (
      "CASE WHEN due_date IS NULL THEN \(starts.count + 1) \(ages)ELSE \(starts.count) END",
      StatementArguments(starts)
    )
  }

  /// Returns the age with an index that the expression gives.
  static func at(_ index: Int) -> DueAge? {
    allCases.indices.contains(index) ? allCases[index] : nil
  }
}
