import AppCore
import Models
import Presentation
import Storage

// JSON documents and counts of what is stored, for a thread that may block.
extension OpenCore {
  func account(_ name: CString?) throws -> String {
    try CText.optional(name, "account") ?? core.configuration.defaultAccount
  }

  /// Returns what `read` finds in the database; `nil` if there is no database yet.
  ///
  /// - Parameters:
  ///   - account: the account whose records are read; `nil` for all.
  ///   - name: the name with which another thread ends the reading.
  func reading<Value: Sendable>(
    _ account: String?, named name: String? = nil,
    _ read: @escaping @Sendable (LocalDatabase) async throws -> Value
  ) throws -> Value? {
    let core = core
    return try wait(named: name) {
      let found =
        if let account { try await core.databaseForReading(account: account) } else {
          try await core.databaseForReading()
        }
      guard let found else { return nil }
      return try await read(found)
    }
  }

  func invoices(_ query: CString?) throws -> String {
    let (query, name) = try self.query(query, of: InvoiceQuery.self)
    let found = try reading(query.account, named: name) { database in
      let page = try await database.invoicePage(matching: query)
      return try Self.list("invoices", page.invoices, next: Self.next(page.next, query.limit)) {
        InvoiceDocument.append($0, withLines: false, to: &$1)
      }
    }
    let next = Self.next(nil, query.limit)
    return try found ?? Self.list("invoices", [Never](), next: next) { _, _ in }
  }

  func invoiceCount(_ query: CString?) throws -> Int {
    let (query, name) = try self.query(query, of: InvoiceQuery.self)
    return try reading(query.account, named: name) {
      try await $0.invoiceCount(matching: query)
    } ?? 0
  }

  func invoice(_ id: String, account: String) throws -> String {
    let found = try reading(account) { try await $0.invoices(named: id, account: account) } ?? []
    guard let only = found.first, found.count == 1 else {
      throw Failures(Failure(invoicesNamed: id, found))
    }
    return JSONText.encode(InvoiceShowDocument(only))
  }

  func summary(_ query: CString?, by grouping: String) throws -> String {
    let (query, name, currency) = try summaryQuery(query)
    if grouping == "ageing" || grouping == "ageing-by-contact" {
      guard currency == nil else {
        throw Misuse.badArgument(message: "\(grouping) has no member 'in'")
      }
      guard let today = CalendarDate.today() else {
        throw Misuse.badArgument(message: "today is outside the calendar's years")
      }
      guard grouping == "ageing" else {
        let found = try reading(query.account, named: name) {
          try await $0.contactAgeing(matching: query, on: today)
        }
        return JSONText.encode(AgeingDocument(found ?? [], asOf: today))
      }
      let found = try reading(query.account, named: name) {
        try await $0.ageing(matching: query, on: today)
      }
      return JSONText.encode(AgeingDocument(found ?? [], asOf: today))
    }
    guard grouping != "tax-rate" else {
      if let currency {
        let found = try reading(query.account, named: name) {
          try await $0.taxTotals(matching: query, in: currency)
        }
        return JSONText.encode(TaxTotalsDocument(found ?? .empty(in: currency)))
      }
      let found = try reading(query.account, named: name) {
        try await $0.taxTotals(matching: query)
      }
      return JSONText.encode(TaxTotalsDocument(found ?? []))
    }
    guard let by = InvoiceGrouping(rawValue: grouping) else {
      let known =
        (InvoiceGrouping.allCases.map(\.rawValue) + ["tax-rate", "ageing", "ageing-by-contact"])
        .joined(separator: ", ")
      throw Misuse.badArgument(message: "unknown grouping '\(grouping)'; available: \(known)")
    }
    if let currency {
      let found = try reading(query.account, named: name) {
        try await $0.totals(matching: query, by: by, in: currency)
      }
      return JSONText.encode(InvoiceSummaryDocument(found ?? .empty(in: currency), by: by))
    }
    let found = try reading(query.account, named: name) {
      try await $0.totals(matching: query, by: by)
    }
    return JSONText.encode(InvoiceSummaryDocument(found ?? [], by: by))
  }

  func contacts(_ query: CString?) throws -> String {
    let (query, name) = try self.query(query, of: ContactQuery.self)
    let found = try reading(query.account, named: name) { database in
      let page = try await database.contactPage(matching: query)
      return try Self.list("contacts", page.contacts, next: Self.next(page.next, query.limit)) {
        ContactDocument.append($0, to: &$1)
      }
    }
    let next = Self.next(nil, query.limit)
    return try found ?? Self.list("contacts", [Never](), next: next) { _, _ in }
  }

  func contactCount(_ query: CString?) throws -> Int {
    let (query, name) = try self.query(query, of: ContactQuery.self)
    return try reading(query.account, named: name) {
      try await $0.contactCount(matching: query)
    } ?? 0
  }

  func contact(_ name: String, account: String) throws -> String {
    let found = try reading(account) { try await $0.contacts(named: name, account: account) } ?? []
    guard let only = found.first, found.count == 1 else {
      throw Failures(Failure(contactsNamed: name, found))
    }
    return JSONText.encode(ContactShowDocument(only))
  }

  func payments(_ query: CString?) throws -> String {
    var (query, name) = try self.query(query, of: PaymentQuery.self)
    query.namesDocuments = false
    let found = try reading(query.account, named: name) { [query] database in
      let page = try await database.paymentPage(matching: query)
      return try Self.list("payments", page.payments, next: Self.next(page.next, query.limit)) {
        PaymentDocument.append($0, to: &$1)
      }
    }
    let next = Self.next(nil, query.limit)
    return try found ?? Self.list("payments", [Never](), next: next) { _, _ in }
  }

  func paymentCount(_ query: CString?) throws -> Int {
    let (query, name) = try self.query(query, of: PaymentQuery.self)
    return try reading(query.account, named: name) {
      try await $0.paymentCount(matching: query)
    } ?? 0
  }

  func payment(_ id: String, account: String) throws -> String {
    let found = try reading(account) { try await $0.payments(named: id, account: account) } ?? []
    guard let only = found.first, found.count == 1 else {
      throw Failures(Failure(paymentsNamed: id, found))
    }
    return JSONText.encode(PaymentShowDocument(only))
  }

  func changes(_ query: CString?) throws -> String {
    let (after, kinds, accounts, limit) = try Choices.read(query, "query") { choices in
      let after = try choices.text("after").map { text in
        guard let position = ChangePosition(text) else {
          throw Misuse.badArgument(message: "after is no 'next' of changes")
        }
        return position
      }
      let kinds = try choices.set("kind", ChangedKind.self)
      let account = try choices.text("account").flatMap { $0 == "*" ? nil : [$0] }
      return (after, kinds, account, try choices.count("limit", atLeast: 1))
    }
    let page = try reading(accounts?.first) { database in
      try await database.changes(
        after: after, of: kinds ?? Set(ChangedKind.allCases), accounts: accounts,
        limit: limit ?? 1_000)
    }
    return ChangesDocument.json(of: page)
  }

  /// Reads a query, and the name of the reading.
  private func query<Query: ListQuery>(
    _ text: CString?, of type: Query.Type
  ) throws -> (Query, String?) {
    let usual = core.configuration.defaultAccount
    return try Choices.read(text, "query") {
      (try Query(&$0, defaultAccount: usual), try $0.text("reading"))
    }
  }

  /// Reads a query of sums, the name of the reading, and the currency of all sums.
  private func summaryQuery(_ query: CString?) throws -> (InvoiceQuery, String?, Currency?) {
    let usual = core.configuration.defaultAccount
    return try Choices.read(query, "query") {
      (
        try InvoiceQuery(&$0, defaultAccount: usual), try $0.text("reading"),
        try $0.value("in", FilterValue.currency)
      )
    }
  }

  /// Returns the JSON of the member `next`; `nil` if there is no limit, and so no page.
  private static func next(_ position: RowPosition?, _ limit: Int?) -> String? {
    limit.map { _ in position.map { "\"\($0)\"" } ?? "null" }
  }

  /// - Parameter next: the JSON of the member `next`; `nil` to leave it out.
  static func list<Record>(
    _ name: String, _ records: [Record], next: String? = nil,
    _ append: (Record, inout [UInt8]) -> Void
  ) throws -> String {
    let frame = JSONFrame(name: name)
    var text = Array(frame.beginning.utf8)
    for (index, record) in records.enumerated() {
      try Task.checkCancellation()
      frame.append(isFirst: index == 0, to: &text) { append(record, &$0) }
    }
    // The end of a file has a newline.
    text += frame.end(isEmpty: records.isEmpty).utf8.dropLast()
    if let next { text[(text.count - 1)...] = ArraySlice(#","next":\#(next)}"#.utf8) }
    return String(decoding: text, as: UTF8.self)
  }
}

/// A query for the records of a list, with what every list knows.
protocol ListQuery {
  associatedtype Sort: RawRepresentable<String> & CaseIterable

  var account: String? { get set }
  var search: String? { get set }
  var sort: Sort { get set }
  var isAscending: Bool { get set }
  var offset: Int { get set }
  var limit: Int? { get set }

  init()
  /// Reads the members of this list alone.
  mutating func read(_ choices: inout Choices) throws
}

extension ListQuery {
  init(_ choices: inout Choices, defaultAccount: String) throws {
    self.init()
    let name = try choices.text("account") ?? defaultAccount
    account = name == "*" ? nil : name
    search = try choices.text("search")
    if let order = try choices.order(Sort.self) { (sort, isAscending) = order }
    offset = try choices.count("offset", atLeast: 0) ?? 0
    limit = try choices.count("limit", atLeast: 0)
    try read(&choices)
  }
}

extension InvoiceQuery: ListQuery {
  mutating func read(_ choices: inout Choices) throws {
    includesLines = false
    after = try choices.position { $0.isInOrder(of: self) }
    try readFilters(&choices)
  }

  /// Reads the members that choose among invoices, and none of an order or a page.
  mutating func readFilters(_ choices: inout Choices) throws {
    let all = try choices.flag("all")
    if try choices.flag("overdue") { dueBefore = .today() }
    issuedOnly = try choices.flag("issued")
    changedSince = try choices.value("changedSince", FilterValue.instant)
    let isUnpaid = try choices.flag("unpaid")
    keep(
      try choices.set("status", InvoiceStatus.self), includesAll: all || changedSince != nil)
    if isUnpaid { keepUnpaid() }
    types = try choices.set("type", InvoiceType.self)
    currencies = try choices.currencies()
    minimumTotal = try choices.amount("min")
    maximumTotal = try choices.amount("max")
    contact = try choices.text("contact")
    (issuedFrom, issuedThrough) = try choices.days()
    let (min, max) = (minimumTotal, maximumTotal)
    try Choices.value { try FilterValue.checkOrder(min: min, max: max) }
  }
}

extension ContactQuery: ListQuery {
  mutating func read(_ choices: inout Choices) throws {
    after = try choices.position { $0.isInOrder(of: self) }
    isOwing = try choices.flag("owing")
    includesDeleted = try choices.flag("all")
  }
}

extension PaymentQuery: ListQuery {
  mutating func read(_ choices: inout Choices) throws {
    after = try choices.position { $0.isInOrder(of: self) }
    changedSince = try choices.value("changedSince", FilterValue.instant)
    includesVoidAndDeleted = try choices.flag("all") || changedSince != nil
    types = try choices.set("type", PaymentType.self)
    statuses = try choices.set("status", PaymentStatus.self)
    currencies = try choices.currencies()
    contact = try choices.text("contact")
    invoice = try choices.text("invoice")
    isUnallocated = try choices.flag("unallocated")
    (from, through) = try choices.days()
  }
}

extension Choices {
  /// Reads a key and a direction, such as of `-issueDate`.
  fileprivate mutating func order<Key: RawRepresentable<String> & CaseIterable>(
    _ keys: Key.Type
  ) throws -> (Key, isAscending: Bool)? {
    guard let text = try text("sort") else { return nil }
    let isDescending = text.hasPrefix("-")
    guard let key = Key(rawValue: String(text.dropFirst(isDescending ? 1 : 0))) else {
      let known = Key.allCases.map(\.rawValue).joined(separator: ", ")
      throw Misuse.badArgument(message: "unknown sort '\(text)'; available: \(known)")
    }
    return (key, !isDescending)
  }

  /// Reads the position after which a page begins.
  fileprivate mutating func position(
    _ isInOrder: (RowPosition) -> Bool
  ) throws -> RowPosition? {
    guard let text = try text("after") else { return nil }
    guard let position = RowPosition(text), isInOrder(position) else {
      throw Misuse.badArgument(message: "after is no 'next' of a page in this order")
    }
    return position
  }

  /// Reads one value or several, separated by commas.
  mutating func set<Value: RawRepresentable<String> & CaseIterable & Hashable>(
    _ name: String, _ values: Value.Type
  ) throws -> Set<Value>? {
    try value(name) { Set(try FilterValue.list($0, name, Array(Value.allCases))) }
  }

  fileprivate mutating func currencies() throws -> Set<Currency>? {
    try value("currency") { Set(try FilterValue.currencies($0)) }
  }

  /// Reads the first and the last day.
  fileprivate mutating func days() throws -> (first: CalendarDate?, last: CalendarDate?) {
    let from = try value("from", FilterValue.period)
    let to = try value("to", FilterValue.period)
    try Self.value { try FilterValue.checkOrder(from: from, to: to) }
    return (from?.first, to?.last)
  }
}
