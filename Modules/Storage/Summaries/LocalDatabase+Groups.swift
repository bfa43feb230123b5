import GRDB
public import Models

extension LocalDatabase {
  /// Returns counts and exact sums by account, a value, currency and type, of the invoices that a
  /// query finds.
  ///
  /// Accounts are ordered by name. Of each, months and quarters come with the latest first,
  /// statuses in their order, and contacts with the largest total of each currency first. The
  /// query's order and limit are ignored.
  ///
  /// - Throws: ``StorageError``.
  public func totals(
    matching query: InvoiceQuery, by grouping: InvoiceGrouping
  ) async throws -> [GroupTotals] {
    let found = try await read(matching: query) { db, query in
      let (sql, arguments) = try query.statement(by: grouping, db)
      var groups = GroupedSums<Group>()
      var names: [Group: String] = [:]
      try db.forEachRow(sql: sql, arguments: arguments) { row in
        try groups.add(&row) { row, account in
          let value = row.text()
          guard grouping == .contact else { return Group(value: value) }
          guard let name = row.text() else { return Group(value: value, account: account) }
          // A contact without an identifier is known by its name alone.
          let group = Group(value: value, name: value == nil ? name : nil, account: account)
          names[group] = names[group].map { max($0, name) } ?? name
          return group
        }
      }
      return groups.sums.map { key, sums in
        GroupTotals(
          account: key.account, group: key.group.shown(as: grouping, name: names[key.group]),
          currency: key.currency, type: key.type, count: sums.count, total: sums.total,
          amountDue: sums.amountDue)
      }
    }
    return found.sorted { left, right in
      guard left.account == right.account else { return left.account < right.account }
      return switch (left.group, right.group) {
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
        (left.currency.code, left.type.rawValue, Self.identity(left.group))
          < (right.currency.code, right.type.rawValue, Self.identity(right.group))
      }
    }
  }

  /// The value that a group is read by.
  private struct Group: Hashable {
    let value: String?
    var name: String?
    /// The account of a contact.
    var account: String?

    func shown(as grouping: InvoiceGrouping, name: String?) -> GroupTotals.Group {
      switch grouping {
      case .month: .month(value.flatMap { CalendarMonth($0) })
      case .quarter: .quarter(value.flatMap { CalendarMonth($0) }.map(CalendarQuarter.init(of:)))
      case .contact: .contact(id: value, name: name)
      case .status: .status(value.flatMap(InvoiceStatus.init) ?? .unknown)
      }
    }
  }

  /// Returns a text that orders contacts with the same sums, so that two calls agree.
  private static func identity(_ group: GroupTotals.Group) -> String {
    guard case .contact(let id, let name) = group else { return "" }
    return id ?? name ?? ""
  }

  private static func isLater<Value: Comparable>(_ first: Value?, _ second: Value?) -> Bool {
    guard let first else { return false }
    return second.map { first > $0 } ?? true
  }
}

extension InvoiceQuery {
  /// Returns the statement for sums by a value, currency and type; for contacts, their name
  /// follows the value.
  func statement(
    by grouping: InvoiceGrouping, _ db: Database
  ) throws -> (sql: String, arguments: StatementArguments) {
    let filter = try InvoiceFilter(self, sort: nil, db)
    let columns = GroupedSums<String>.columns(account: "account.name", due: Schema.amountDue)
    let more = grouping == .contact ? ", \(InvoiceReader.shownContact)" : ""
    let sql = """
      SELECT \(columns), \(grouping.column)\(more)
      FROM \(filter.source)\(filter.condition)
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

/// The values by which invoices can be totalled.
public enum InvoiceGrouping: String, Sendable, CaseIterable {
  /// The month of issue.
  case month
  /// The quarter of issue.
  case quarter
  /// The other party.
  case contact
  /// The status.
  case status
}

/// Counts and exact sums of the invoices of a group that share type and currency.
public struct GroupTotals: Sendable, Equatable {
  /// The value that the invoices of a group have in common.
  public enum Group: Sendable, Hashable {
    /// The month of issue; `nil` for invoices without a day of issue.
    case month(CalendarMonth?)
    /// The quarter of issue; `nil` for invoices without a day of issue.
    case quarter(CalendarQuarter?)
    /// The contact's identifier and name, as far as they are known.
    case contact(id: String?, name: String?)
    /// The status; a deleted invoice counts as deleted, whichever status it had before.
    case status(InvoiceStatus)
  }

  /// The account, whose invoices are never added to those of another one.
  public let account: String
  /// The shared value.
  public let group: Group
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
