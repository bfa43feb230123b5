import GRDB
public import Models

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

/// Counts and exact sums of the invoices of a month that share type and currency.
///
/// Types are summed separately: a bill is no income, and a credit note is subtracted.
public struct MonthlyTotals: Sendable, Equatable {
  /// The account, whose invoices are never added to those of another one.
  public let account: String
  /// The month of issue; `nil` for those without a day of issue.
  public let month: CalendarMonth?
  /// The shared currency.
  public let currency: Currency
  /// The shared type.
  public let type: InvoiceType
  /// The number of invoices.
  public let count: Int
  /// The sum of their totals.
  public let total: DecimalSum
  /// The sum of what is due of open and partially paid invoices.
  ///
  /// An open invoice counts with its total if the provider does not state what is due.
  public let amountDue: DecimalSum
}

/// Counts and exact sums of rows by group, added up as the rows are read.
///
/// SQLite sorts all rows before it groups them, which takes three times as long as reading them.
struct GroupedSums<Group: Hashable & Sendable> {
  /// The account, group, currency and type that the rows of a sum have in common.
  struct Key: Hashable, Sendable {
    let account: String
    let group: Group
    let currency: Currency
    let type: InvoiceType
  }

  /// The number of rows, and their sums.
  struct Sums: Sendable {
    var count = 0
    var total = DecimalSum.zero
    var amountDue = DecimalSum.zero
  }

  /// The sums of each group.
  private(set) var sums: [Key: Sums] = [:]

  /// Adds a row with the values of ``columns(account:due:)``.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - group: reads the group from the columns after those.
  mutating func add(
    _ row: inout RowValues, group: (inout RowValues, _ account: String) throws -> Group
  ) throws {
    let account = try StoredValue.required(row.text())
    let currency = try StoredValue.required(row.text().flatMap(Currency.init(code:)))
    let type: InvoiceType = try row.word()
    let total = try StoredValue.required(row.decimal())
    let due = try row.decimal()
    let key = Key(account: account, group: try group(&row, account), currency: currency, type: type)
    sums[key, default: Sums()].add(total, due)
  }

  /// Returns the columns that are added up.
  ///
  /// - Parameters:
  ///   - account: the expression for the account's name; an empty text adds up all accounts.
  ///   - due: the expression for what is due.
  static func columns(account: String, due: String) -> String {
    "\(account), invoice.currency, invoice.type, invoice.total, \(due)"
  }
}

extension GroupedSums.Sums {
  fileprivate mutating func add(_ total: ExactDecimal, _ due: ExactDecimal?) {
    count += 1
    self.total.add(total)
    if let due { amountDue.add(due) }
  }
}
