import GRDB
public import Models

extension LocalDatabase {
  /// Returns counts and exact sums by account, a value, currency and type, of the invoices that a
  /// query finds.
  ///
  /// Accounts are ordered by name. Of each, months, quarters and years come with the latest first
  /// and invoices without a day of issue last, statuses in their order, and contacts with the
  /// largest total of each currency first. The query's order and limit are ignored.
  ///
  /// - Throws: ``StorageError``.
  public func totals(
    matching query: InvoiceQuery, by grouping: InvoiceGrouping
  ) async throws -> [GroupTotals] {
    try await read(matching: query) { try Self.totals(matching: $1, by: grouping, $0).totals }
  }

  /// - Parameter conversion: the conversion into one currency; `nil` for sums in each currency.
  static func totals(
    matching query: InvoiceQuery, by grouping: InvoiceGrouping, _ db: Database,
    _ conversion: SumConversion? = nil
  ) throws -> (totals: [GroupTotals], withoutRate: [UnconvertedInvoices]) {
    let (sql, arguments) = try query.totalsStatement(
      by: grouping, isConverted: conversion != nil, db)
    var groups = GroupedSums<GroupTotals.Group>(conversion)
    var names: [ContactKey: String] = [:]
    try db.forEachRow(sql: sql, arguments: arguments) { row in
      try groups.add(&row) { row, account in
        switch grouping {
        case .month: return .month(row.day().map(CalendarMonth.init(of:)))
        case .quarter:
          return .quarter(row.day().map { CalendarQuarter(of: CalendarMonth(of: $0)) })
        case .year: return .year(row.day()?.year)
        case .status: return .status(try row.word())
        case .currency, .account: return .all
        case .contact:
          let (id, name) = (row.text(), row.text())
          // A contact without an identifier is known by its name alone.
          guard let id else { return .contact(id: nil, name: name) }
          if let name {
            let key = ContactKey(account: account, id: id)
            names[key] = names[key].map { max($0, name) } ?? name
          }
          return .contact(id: id, name: nil)
        }
      }
    }
    let totals = groups.sums.map { key, sums in
      var group = key.group
      if case .contact(let id?, _) = group {
        group = .contact(id: id, name: names[ContactKey(account: key.account, id: id)])
      }
      return GroupTotals(
        account: key.account, group: group, currency: key.currency, type: key.type,
        count: sums.count, net: sums.net, tax: sums.tax, total: sums.total,
        amountDue: sums.amountDue
      ).rounded(by: conversion)
    }
    return (totals.sorted { $0.isBefore($1) }, groups.withoutRate.sorted())
  }

  /// Returns counts and exact sums by account, tax, currency and type, of the invoices that a query
  /// finds, the highest rate of each account first.
  ///
  /// An invoice counts once at each of its `taxes`. The query's order and limit are ignored.
  ///
  /// - Throws: ``StorageError``.
  public func taxTotals(matching query: InvoiceQuery) async throws -> [TaxTotals] {
    try await read(matching: query) { try Self.taxTotals(matching: $1, $0).totals }
  }

  /// - Parameter conversion: the conversion into one currency; `nil` for sums in each currency.
  static func taxTotals(
    matching query: InvoiceQuery, _ db: Database, _ conversion: SumConversion? = nil
  ) throws -> (totals: [TaxTotals], withoutRate: [UnconvertedInvoices]) {
    var query = query
    (query.sort, query.limit, query.offset, query.includesLines) = (.stored, nil, 0, true)
    let (sql, arguments) = try query.statement(db)
    let reader = try InvoiceReader(db, isWhole: true)
    var sums = GroupedSums<TaxTotals.Tax>(conversion)
    try db.forEachRow(sql: sql, arguments: arguments) {
      sums.add(taxesOf: try reader.stored(&$0))
    }
    let totals = sums.sums.map { key, sums in
      TaxTotals(
        account: key.account, tax: key.group, currency: key.currency, type: key.type,
        count: sums.count, net: sums.net.map { conversion?.rounded($0) ?? $0 },
        taxAmount: sums.tax.map { conversion?.rounded($0) ?? $0 })
    }
    return (totals.sorted { $0.isBefore($1) }, sums.withoutRate.sorted())
  }

  private struct ContactKey: Hashable {
    let account: String
    let id: String
  }
}

extension InvoiceQuery {
  /// Returns the statement for sums by a value, currency and type.
  func totalsStatement(
    by grouping: InvoiceGrouping, isConverted: Bool = false, _ db: Database
  ) throws -> (sql: String, arguments: StatementArguments) {
    let filter = try InvoiceFilter(self, sort: nil, db)
    var columns = GroupedSums<String>.columns(account: "account.name", due: Schema.amountDue)
    if isConverted { columns += ", " + SumConversion.columns }
    let group =
      switch grouping {
      case .month, .quarter, .year: ", issue_date"
      case .contact: ", contact_id, \(InvoiceReader.shownContact)"
      case .status: ", CASE WHEN invoice.deleted_at IS NULL THEN status ELSE 'deleted' END"
      case .currency, .account: ""
      }
    return ("SELECT \(columns)\(group) FROM \(filter.source)\(filter.condition)", filter.arguments)
  }
}

/// The values by which invoices can be totalled.
public enum InvoiceGrouping: String, Sendable, CaseIterable {
  /// The month of issue.
  case month
  /// The quarter of issue.
  case quarter
  /// The year of issue.
  case year
  /// The other party.
  case contact
  /// The status.
  case status
  /// The currency alone.
  case currency
  /// The account and the currency.
  case account
}

/// Counts and exact sums of the invoices of a group that share type and currency.
///
/// Types are summed separately: a bill is no income, and a credit note is subtracted.
public struct GroupTotals: Sendable, Equatable {
  /// The value that the invoices of a group have in common.
  public enum Group: Sendable, Hashable {
    /// The month of issue; `nil` for invoices without a day of issue.
    case month(CalendarMonth?)
    /// The quarter of issue; `nil` for invoices without a day of issue.
    case quarter(CalendarQuarter?)
    /// The year of issue; `nil` for invoices without a day of issue.
    case year(Int?)
    /// The contact's identifier and name, as far as they are known.
    case contact(id: String?, name: String?)
    /// The status; a deleted invoice counts as deleted, whichever status it had before.
    case status(InvoiceStatus)
    /// All invoices of the account.
    case all
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
  /// The sum without tax; `nil` if an invoice states neither it nor its tax.
  public let net: DecimalSum?
  /// The sum of tax; `nil` as ``net``.
  public let tax: DecimalSum?
  /// The sum of their totals.
  public let total: DecimalSum
  /// The sum of what is due of open and partially paid invoices.
  ///
  /// An open invoice counts with its total if the provider does not state what is due.
  public let amountDue: DecimalSum

  /// Returns the sums with the decimals of their currency; unchanged without a conversion.
  ///
  /// The net sum is what is left of the total without the tax, so that the three agree.
  fileprivate func rounded(by conversion: SumConversion?) -> GroupTotals {
    guard let conversion else { return self }
    let (total, tax) = (conversion.rounded(total), self.tax.map(conversion.rounded))
    return GroupTotals(
      account: account, group: group, currency: currency, type: type, count: count,
      net: tax.map { tax in
        var net = total
        net.add(tax.negated)
        return net
      }, tax: tax, total: total, amountDue: conversion.rounded(amountDue))
  }

  fileprivate func isBefore(_ other: GroupTotals) -> Bool {
    guard account == other.account else { return account < other.account }
    switch (group, other.group) {
    case (.month(let first), .month(let second)) where first != second:
      return Self.isHigher(first, second)
    case (.quarter(let first), .quarter(let second)) where first != second:
      return Self.isHigher(first, second)
    case (.year(let first), .year(let second)) where first != second:
      return Self.isHigher(first, second)
    case (.status(let first), .status(let second)) where first != second:
      let order = InvoiceStatus.allCases
      return (order.firstIndex(of: first) ?? 0) < (order.firstIndex(of: second) ?? 0)
    case (.contact, .contact) where currency == other.currency && total != other.total:
      return total > other.total
    default:
      return (currency.code, type.rawValue, identity)
        < (other.currency.code, other.type.rawValue, other.identity)
    }
  }

  /// A text that orders contacts with the same sums, so that two calls agree.
  private var identity: String {
    if case .contact(let id, let name) = group { id ?? name ?? "" } else { "" }
  }

  fileprivate static func isHigher<Value: Comparable>(_ first: Value?, _ second: Value?) -> Bool {
    guard let first else { return false }
    return second.map { first > $0 } ?? true
  }
}

/// Counts and exact sums of the invoices with a tax that share type and currency.
public struct TaxTotals: Sendable, Equatable {
  /// A tax.
  public struct Tax: Sendable, Hashable {
    /// The provider's name or code of the tax.
    public let name: String?
    /// The rate in percent.
    public let rate: ExactDecimal?
  }

  /// The account.
  public let account: String
  /// The tax; without name and rate, for invoices that state no taxes.
  public let tax: Tax
  /// The shared currency.
  public let currency: Currency
  /// The shared type.
  public let type: InvoiceType
  /// The number of invoices.
  public let count: Int
  /// The sum of the taxable amounts; `nil` if one of them is unknown.
  public let net: DecimalSum?
  /// The sum of the tax; `nil` if one is unknown.
  public let taxAmount: DecimalSum?

  fileprivate func isBefore(_ other: TaxTotals) -> Bool {
    guard account == other.account else { return account < other.account }
    guard tax.rate == other.tax.rate else {
      return GroupTotals.isHigher(tax.rate, other.tax.rate)
    }
    return (currency.code, type.rawValue, tax.name ?? "")
      < (other.currency.code, other.type.rawValue, other.tax.name ?? "")
  }
}

extension GroupedSums<TaxTotals.Tax> {
  fileprivate mutating func add(taxesOf stored: StoredInvoice) {
    let invoice = stored.invoice
    var (currency, taxes) = (invoice.currency, invoice.taxes)
    var amounts = SummedAmounts(
      total: invoice.total, net: invoice.subtotal, tax: invoice.totalTax)
    if let conversion {
      guard
        let made = conversion.conversion(
          of: invoice.total, in: currency, invoice.home, account: stored.account),
        let whole = amounts.converted(by: made), let parts = taxes.converted(by: made)
      else { return leaveOut(stored.account, currency, invoice.type) }
      (currency, taxes, amounts) = (conversion.currency, parts, whole)
    }
    func key(_ name: String?, _ rate: ExactDecimal?) -> Key {
      Key(
        account: stored.account, group: TaxTotals.Tax(name: name, rate: rate),
        currency: currency, type: invoice.type)
    }
    guard !taxes.isEmpty else { return add(key(nil, nil), amounts) }
    // An invoice with two amounts at one rate counts once.
    var sums: [Key: (net: ExactDecimal?, tax: ExactDecimal?)] = [:]
    for tax in taxes {
      let key = key(tax.name, tax.rate)
      let sum = sums[key] ?? (.zero, .zero)
      sums[key] = (
        tax.taxableAmount.flatMap { sum.net?.adding($0) }, sum.tax?.adding(tax.taxAmount)
      )
    }
    for (key, sum) in sums { add(key, net: sum.net, tax: sum.tax) }
  }
}

/// The amounts of an invoice that are summed.
package struct SummedAmounts {
  let total: ExactDecimal
  let due: ExactDecimal?
  package let net: ExactDecimal?
  package let tax: ExactDecimal?

  /// Of net amount and tax, the total can replace one.
  package init(
    total: ExactDecimal, due: ExactDecimal? = nil, net: ExactDecimal?, tax: ExactDecimal?
  ) {
    (self.total, self.due) = (total, due)
    self.net = net ?? tax.flatMap { total.subtracting($0) }
    self.tax = tax ?? net.flatMap { total.subtracting($0) }
  }

  /// Returns the amounts in another currency; `nil` if one of them cannot be converted.
  func converted(by conversion: CurrencyConversion) -> SummedAmounts? {
    let (tax, due) = (conversion.tax(self.tax), self.due.map(conversion.amountDue))
    guard let total = conversion.total(total), tax != nil || self.tax == nil, due != .some(nil)
    else { return nil }
    return SummedAmounts(total: total, due: due ?? nil, net: nil, tax: tax)
  }
}

extension [TaxSubtotal] {
  /// Returns the taxes in another currency; `nil` if an amount of them cannot be converted.
  fileprivate func converted(by conversion: CurrencyConversion) -> [TaxSubtotal]? {
    var converted = self
    for index in indices {
      guard let tax = conversion.amount(self[index].taxAmount) else { return nil }
      converted[index].taxAmount = tax
      guard let taxable = self[index].taxableAmount else { continue }
      guard let amount = conversion.amount(taxable) else { return nil }
      converted[index].taxableAmount = amount
    }
    return converted
  }
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
    fileprivate(set) var count = 0
    /// The sums without tax and of tax; `nil` if one of the rows has neither.
    fileprivate(set) var net: DecimalSum? = .zero
    fileprivate(set) var tax: DecimalSum? = .zero
    fileprivate(set) var total = DecimalSum.zero
    fileprivate(set) var amountDue = DecimalSum.zero
  }

  /// The sums of each group.
  private(set) var sums: [Key: Sums] = [:]
  /// The rows that no sum contains, because they state no rate to the one currency of all sums.
  private(set) var withoutRate: [UnconvertedInvoices] = []
  /// The conversion into one currency; `nil` for sums in each currency.
  let conversion: SumConversion?

  init(_ conversion: SumConversion? = nil) { self.conversion = conversion }

  /// Counts an invoice that states no rate.
  mutating func leaveOut(_ account: String, _ currency: Currency, _ type: InvoiceType) {
    let index = withoutRate.firstIndex {
      ($0.account, $0.currency, $0.type) == (account, currency, type)
    }
    guard let index else {
      return withoutRate.append(
        UnconvertedInvoices(account: account, currency: currency, type: type, count: 1))
    }
    withoutRate[index].count += 1
  }

  /// Adds a row with the values of ``columns(account:due:)``.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - group: reads the group from the columns after those.
  mutating func add(
    _ row: inout RowValues, group: (inout RowValues, _ account: String) throws -> Group
  ) throws {
    let account = try StoredValue.required(row.text())
    var currency = try StoredValue.required(row.text().flatMap(Currency.init(code:)))
    let type: InvoiceType = try row.word()
    var amounts = SummedAmounts(
      total: try StoredValue.required(row.decimal()), due: try row.decimal(),
      net: try row.decimal(), tax: try row.decimal())
    if let conversion {
      let made = conversion.conversion(
        of: amounts.total, in: currency, try row.record(), account: account)
      guard let converted = made.flatMap(amounts.converted(by:)) else {
        return leaveOut(account, currency, type)
      }
      (currency, amounts) = (conversion.currency, converted)
    }
    let key = Key(account: account, group: try group(&row, account), currency: currency, type: type)
    add(key, amounts)
  }

  /// Adds an invoice.
  mutating func add(_ key: Key, _ amounts: SummedAmounts) {
    sums[key, default: Sums()].total.add(amounts.total)
    if let due = amounts.due { sums[key]?.amountDue.add(due) }
    add(key, net: amounts.net, tax: amounts.tax)
  }

  /// Adds a part of an invoice.
  mutating func add(_ key: Key, net: ExactDecimal?, tax: ExactDecimal?) {
    sums[key, default: Sums()].add(net, tax)
  }

  /// Returns the columns that are added up.
  ///
  /// - Parameters:
  ///   - account: the expression for the account's name; an empty text adds up all accounts.
  ///   - due: the expression for what is due.
  static func columns(account: String, due: String) -> String {
    """
    \(account), invoice.currency, invoice.type, invoice.total, \(due), invoice.subtotal,
      invoice.total_tax
    """
  }
}

extension GroupedSums.Sums {
  fileprivate mutating func add(_ net: ExactDecimal?, _ tax: ExactDecimal?) {
    count += 1
    if let net { self.net?.add(net) } else { self.net = nil }
    if let tax { self.tax?.add(tax) } else { self.tax = nil }
  }
}
