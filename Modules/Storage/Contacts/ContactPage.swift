import GRDB
import Models

/// A page of a list of contacts.
public struct ContactPage: Sendable {
  /// The contacts, as many as the query's limit allows.
  public let contacts: [StoredContact]
  /// The position after which the next page begins, for ``ContactQuery/after``; `nil` if this is
  /// the last page, or if the query has no limit.
  public let next: RowPosition?
}

extension LocalDatabase {
  /// Returns a page of the contacts that a query finds, and the position of the next one.
  ///
  /// Contacts come as invoices do in ``invoicePage(matching:)``.
  ///
  /// - Throws: ``StorageError``; `CancellationError` if the task is cancelled.
  public func contactPage(matching query: ContactQuery) async throws -> ContactPage {
    try await read { db in
      var contacts: [StoredContact] = []
      var last: FoundContact?
      try FoundContact.forEach(matching: query, db) {
        contacts.append($0.contact)
        last = $0
      }
      let isLast = query.limit.map { contacts.count < $0 } ?? true
      let next = isLast ? nil : last
      return ContactPage(
        contacts: contacts,
        next: next.map { RowPosition(order: query.order, row: $0.row, values: $0.values) })
    }
  }
}

/// A contact that a query finds, with what decides its place in the order.
struct FoundContact {
  let contact: StoredContact
  let row: Int64
  /// The values of the order's terms.
  let values: [DatabaseValue]

  /// Calls a function with each contact that a query finds.
  static func forEach(
    matching query: ContactQuery, _ db: Database, _ body: (FoundContact) throws -> Void
  ) throws {
    let (sql, arguments) = try query.withoutBalances.statement(db)
    guard query.asksForBalances else {
      return try db.forEachRow(sql: sql, arguments: arguments) { row in
        try body(try FoundContact(&row, query))
      }
    }
    var found = try db.allRows(sql: sql, arguments: arguments) { try FoundContact(&$0, query) }
    if query.isOwing { found.removeAll { $0.contact.receivable == nil } }
    if query.sort == .receivable {
      found.sort { $0.debt.precedes($1.debt, isAscending: query.isAscending) }
      if let after = query.after {
        let last = Debt(after)
        let isInOrder = after.isInOrder(of: query)
        found = found.filter {
          isInOrder && last.precedes($0.debt, isAscending: query.isAscending)
        }
      }
    }
    try found.dropFirst(query.offset).prefix(query.limit ?? found.count).forEach(body)
  }

  private init(_ row: inout RowValues, _ query: ContactQuery) throws {
    contact = try Self.storedContact(&row)
    self.row = try StoredValue.required(row.integer())
    if query.sort == .receivable {
      values = Debt(contact.receivable, self.row).values
    } else {
      values = query.orderTerms.map { _ in row.value() }
    }
  }

  private var debt: Debt { Debt(contact.receivable, row) }

  /// Reads a contact, and the sums of its invoices, such as `EUR invoice 3 119.00;USD bill 1 0`.
  private static func storedContact(_ row: inout RowValues) throws -> StoredContact {
    let contact = try ContactTable.contact(&row)
    let (deletedAt, deletedReason) = (row.instant(), row.text())
    let account = try StoredValue.required(row.text())
    var count = 0
    var balances: [String: ContactBalance] = [:]
    for sum in (row.text() ?? "").split(separator: ";") {
      let parts = sum.split(separator: " ").map(String.init)
      guard parts.count == 4, let currency = Currency(code: parts[0]),
        let type = InvoiceType(rawValue: parts[1]), let number = Int(parts[2]),
        let due = DecimalSum(parts[3])
      else { throw StoredValue.damage }
      count += number
      balances[currency.code, default: ContactBalance(currency)].add(due, of: type)
    }
    return StoredContact(
      account: account, contact: contact, deletedAt: deletedAt, deletedReason: deletedReason,
      invoiceCount: count,
      balances: balances.values.filter { !$0.receivable.isZero || !$0.payable.isZero }
        .sorted { $0.currency.code < $1.currency.code })
  }
}

/// The place of a contact in the order of what contacts owe.
private struct Debt {
  /// The first currency in which the contact owes something; `nil` if it owes nothing.
  let currency: String?
  let amount: DecimalSum
  let row: Int64

  init(_ balance: ContactBalance?, _ row: Int64) {
    (currency, amount, self.row) = (balance?.currency.code, balance?.receivable ?? .zero, row)
  }

  init(_ position: RowPosition) {
    let texts = position.values.map { String.fromDatabaseValue($0) }
    currency = texts.first ?? nil
    amount = (texts.last ?? nil).flatMap { DecimalSum($0) } ?? .zero
    row = Int64.fromDatabaseValue(position.row) ?? 0
  }

  /// The values of a position.
  var values: [DatabaseValue] { [currency.databaseValue, "\(amount)".databaseValue] }

  /// Returns true if the contact stands before another one, by currency and by amount within it.
  ///
  /// One that owes nothing counts as the smallest.
  func precedes(_ other: Debt, isAscending: Bool) -> Bool {
    guard let mine = currency, let others = other.currency else {
      guard currency == nil, other.currency == nil else { return isAscending == (currency == nil) }
      return isAscending ? row < other.row : other.row < row
    }
    guard mine == others else { return mine < others }
    if amount == other.amount { return isAscending ? row < other.row : other.row < row }
    return isAscending ? amount < other.amount : other.amount < amount
  }
}

extension ContactQuery {
  /// The values that order the contacts in a statement, the first decides; the row breaks ties.
  var orderTerms: [OrderTerm] {
    switch sort {
    case .name: [OrderTerm("name", "contact.name COLLATE NOCASE")]
    case .updatedAt:
      [OrderTerm("updated_at", "contact.updated_at", least: OrderTerm.leastNumber)]
    case .receivable, .stored: []
    }
  }

  /// The condition for the contacts after ``after``; `nil` if no column decides.
  var nextRows: RowCondition? {
    guard let after, sort != .receivable else { return nil }
    guard after.isInOrder(of: self) else { return RowCondition(sql: "0") }
    return RowCondition(
      after: Array(zip(orderTerms, after.values)), row: ("contact.row", after.row), isAscending)
  }

  /// The order as one word: the name of its key, after a minus if the largest come first.
  var order: String { "contacts:\(isAscending ? "" : "-")\(sort.rawValue)" }

  /// True if the amounts decide which contacts are found, or their order; no column has them.
  fileprivate var asksForBalances: Bool { isOwing || sort == .receivable }

  /// The query of all contacts among which the amounts decide.
  fileprivate var withoutBalances: ContactQuery {
    var query = self
    if asksForBalances { (query.limit, query.offset) = (nil, 0) }
    return query
  }
}

extension StoredContact {
  /// The first balance, by currency, with an amount that the contact has to pay.
  fileprivate var receivable: ContactBalance? { balances.first { $0.receivable > .zero } }
}
