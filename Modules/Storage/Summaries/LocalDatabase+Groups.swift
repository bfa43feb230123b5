import GRDB
import Models

extension LocalDatabase {
  /// Returns counts and exact sums by a value, currency and type, of the invoices that a query
  /// finds.
  ///
  /// Months and quarters come with the latest first, statuses in their order, and contacts with the
  /// largest total of each currency first. The query's order and limit are ignored.
  ///
  /// - Throws: ``StorageError``.
  public func totals(
    matching query: InvoiceQuery, by grouping: InvoiceGrouping
  ) async throws -> [GroupTotals] {
    let found = try await read(matching: query) { db, query in
      let (sql, arguments) = try query.statement(by: grouping, db)
      return try Row.fetchAll(db, sql: sql, arguments: arguments).map { row in
        guard let currency = Currency(code: row["currency"]),
          let type = InvoiceType(rawValue: row["type"]), let total = DecimalSum(row["total"]),
          let due = DecimalSum(row["due"])
        else { throw StoredValue.damage }
        return GroupTotals(
          group: Self.group(row, grouping), currency: currency, type: type, count: row["count"],
          total: total, amountDue: due)
      }
    }
    return found.sorted { left, right in
      switch (left.group, right.group) {
      case (.month(let first), .month(let second)) where first != second:
        Self.isLater(first, second)
      case (.quarter(let first), .quarter(let second)) where first != second:
        Self.isLater(first, second)
      case (.status(let first), .status(let second)) where first != second:
        (InvoiceStatus.allCases.firstIndex(of: first) ?? 0)
          < (InvoiceStatus.allCases.firstIndex(of: second) ?? 0)
      case (.contact, .contact) where left.currency == right.currency && left.total != right.total:
        left.total > right.total
      default:
        (left.currency.code, left.type.rawValue) < (right.currency.code, right.type.rawValue)
      }
    }
  }

  private static func isLater<Value: Comparable>(_ first: Value?, _ second: Value?) -> Bool {
    guard let first else { return false }
    return second.map { first > $0 } ?? true
  }

  private static func group(_ row: Row, _ grouping: InvoiceGrouping) -> GroupTotals.Group {
    let value: String? = row["value"]
    switch grouping {
    case .month: return .month(value.flatMap { CalendarMonth($0) })
    case .quarter:
      return .quarter(value.flatMap { CalendarMonth($0) }.map(CalendarQuarter.init(of:)))
    case .contact: return .contact(id: value, name: row["name"])
    case .status: return .status(value.flatMap(InvoiceStatus.init) ?? .unknown)
    }
  }
}

extension InvoiceQuery {
  /// Returns the statement for sums by a value, currency and type.
  func statement(
    by grouping: InvoiceGrouping, _ db: Database
  ) throws -> (sql: String, arguments: StatementArguments) {
    let filter = try InvoiceFilter(self, sort: nil, db)
    // A contact without an identifier is known by its name alone.
    let isOfContacts = grouping == .contact
    let name = isOfContacts ? "max(shown_contact)" : "NULL"
    let keys = isOfContacts ? "account, value, ifnull(value, shown_contact)" : "value"
    let columns =
      isOfContacts ? ", invoice.account AS account, \(InvoiceReader.shownContact)" : ""
    let sql = """
      SELECT value, \(name) AS name, currency, type, count(*) AS count,
        decimal_sum(total) AS total, decimal_sum(amount_due) AS due
      FROM (
        SELECT \(grouping.column) AS value, currency, type, total, amount_due\(columns)
        FROM \(filter.source)\(filter.condition))
      GROUP BY \(keys), currency, type
      """
    return (sql, filter.arguments)
  }
}

extension InvoiceGrouping {
  /// The column, or the first month of a quarter.
  fileprivate var column: String {
    switch self {
    case .month: "substr(issue_date, 1, 7)"
    case .quarter:
      """
      substr(issue_date, 1, 5) || substr('010101040404070707101010',
        2 * CAST(substr(issue_date, 6, 2) AS INTEGER) - 1, 2)
      """
    case .contact: "contact_id"
    case .status: "CASE WHEN invoice.deleted_at IS NULL THEN status ELSE 'deleted' END"
    }
  }
}
