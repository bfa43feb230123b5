import AppCore
import Documents
import Models
import Storage

// Documents and counts of what is stored, for a thread that may block.
extension OpenCore {
  func account(_ name: CString?) throws -> String {
    try CText.optional(name, "account") ?? core.configuration.defaultAccount
  }

  /// Returns what `read` finds in the database; `nil` if there is no database yet.
  ///
  /// - Parameters:
  ///   - account: the account whose records are read; `nil` for all.
  ///   - name: the name with which another thread ends the reading.
  private func reading<Value: Sendable>(
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
    let (query, name) = try invoiceQuery(query)
    let found = try reading(query.account, named: name) { database in
      let page = try await database.invoicePage(matching: query)
      let next = query.limit == nil ? nil : page.next.map { "\"\($0)\"" } ?? "null"
      return try Self.list("invoices", page.invoices, next: next) {
        InvoiceDocument.append($0, withLines: false, to: &$1)
      }
    }
    let next = query.limit.map { _ in "null" }
    return try found ?? Self.list("invoices", [Never](), next: next) { _, _ in }
  }

  func invoiceCount(_ query: CString?) throws -> Int {
    let (query, name) = try invoiceQuery(query)
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
    if grouping == "ageing" {
      guard currency == nil else { throw Misuse.badArgument(message: "ageing has no member 'in'") }
      guard let today = CalendarDate.today() else {
        throw Misuse.badArgument(message: "today is outside the calendar's years")
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
      let known = (InvoiceGrouping.allCases.map(\.rawValue) + ["tax-rate", "ageing"])
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
    let (query, name) = try contactQuery(query)
    let found = try reading(query.account, named: name) { try await $0.contacts(matching: query) }
    return try Self.list("contacts", found ?? []) { ContactDocument.append($0, to: &$1) }
  }

  func contactCount(_ query: CString?) throws -> Int {
    let (query, name) = try contactQuery(query)
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

  /// Reads a query, and the name of the reading.
  private func invoiceQuery(_ query: CString?) throws -> (InvoiceQuery, String?) {
    let usual = core.configuration.defaultAccount
    return try Choices.read(query, "query") {
      (try InvoiceQuery(&$0, defaultAccount: usual), try $0.text("reading"))
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

  private func contactQuery(_ query: CString?) throws -> (ContactQuery, String?) {
    let usual = core.configuration.defaultAccount
    return try Choices.read(query, "query") {
      (try ContactQuery(&$0, defaultAccount: usual), try $0.text("reading"))
    }
  }

  /// - Parameter next: the JSON of the member `next`; `nil` to leave it out.
  private static func list<Record>(
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

extension InvoiceQuery {
  init(_ choices: inout Choices, defaultAccount: String) throws {
    self.init()
    let name = try choices.text("account") ?? defaultAccount
    account = name == "*" ? nil : name
    includesLines = false
    search = try choices.text("search")
    if let order = try choices.order(Sort.self) { (sort, isAscending) = order }
    offset = try choices.count("offset", atLeast: 0) ?? 0
    limit = try choices.count("limit", atLeast: 0)
    if let text = try choices.text("after") {
      guard let position = InvoicePosition(text), position.isInOrder(of: self) else {
        throw Misuse.badArgument(message: "after is no 'next' of a page in this order")
      }
      after = position
    }
    let all = try choices.flag("all")
    if try choices.flag("overdue") { dueBefore = .today() }
    issuedOnly = try choices.flag("issued")
    changedSince = try choices.value("changedSince", FilterValue.instant)
    let isUnpaid = try choices.flag("unpaid")
    let named = try choices.value("status") {
      Set(try FilterValue.list($0, "status", InvoiceStatus.allCases))
    }
    keep(named, includesAll: all || changedSince != nil)
    if isUnpaid { keepUnpaid() }
    types = try choices.value("type") {
      Set(try FilterValue.list($0, "type", InvoiceType.allCases))
    }
    currencies = try choices.value("currency") { Set(try FilterValue.currencies($0)) }
    minimumTotal = try choices.amount("min")
    maximumTotal = try choices.amount("max")
    contact = try choices.text("contact")
    let from = try choices.value("from", FilterValue.period)
    let to = try choices.value("to", FilterValue.period)
    (issuedFrom, issuedThrough) = (from?.first, to?.last)
    let (min, max) = (minimumTotal, maximumTotal)
    try Choices.value {
      try FilterValue.checkOrder(from: from, to: to)
      try FilterValue.checkOrder(min: min, max: max)
    }
  }
}

extension ContactQuery {
  init(_ choices: inout Choices, defaultAccount: String) throws {
    self.init()
    let name = try choices.text("account") ?? defaultAccount
    account = name == "*" ? nil : name
    search = try choices.text("search")
    if let order = try choices.order(Sort.self) { (sort, isAscending) = order }
    offset = try choices.count("offset", atLeast: 0) ?? 0
    limit = try choices.count("limit", atLeast: 0)
    isOwing = try choices.flag("owing")
    includesDeleted = try choices.flag("all")
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
}
