import AppCore
import CAppCore
import Documents
import Models
import Storage

// Documents and counts of what is stored, for a thread that may block.
extension OpenCore {
  /// Returns the account that a caller named, or the default one.
  func account(_ name: UnsafePointer<CChar>?) throws -> String {
    try CText.optional(name, "account") ?? core.configuration.defaultAccount
  }

  /// Returns what `read` finds in the database; `nil` if there is no database yet.
  ///
  /// - Parameter account: the account whose records are read; `nil` for all.
  func reading<Value: Sendable>(
    _ account: String?, _ read: @escaping @Sendable (LocalDatabase) async throws -> Value
  ) throws -> Value? {
    let core = core
    return try BlockingResult.wait {
      let found =
        if let account { try await core.databaseForReading(account: account) } else {
          try await core.databaseForReading()
        }
      guard let found else { return nil }
      return try await read(found)
    }
  }

  func invoices(_ choice: appcore_query) throws -> String {
    var query = try InvoiceQuery(choice)
    query.account = try account(of: choice)
    let found = try reading(query.account) { [query] in try await $0.invoices(matching: query) }
    return Self.list("invoices", found ?? []) {
      InvoiceDocumentBytes.json(of: $0, withLines: false)
    }
  }

  func invoiceCount(_ choice: appcore_query) throws -> Int {
    var query = try InvoiceQuery(choice)
    query.account = try account(of: choice)
    return try reading(query.account) { [query] in
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

  func summary(_ choice: appcore_query, by grouping: String) throws -> String {
    var query = try InvoiceQuery(choice)
    query.account = try account(of: choice)
    if grouping == "ageing" {
      guard let today = CalendarDate.today() else {
        throw Misuse.badArgument(message: "today is outside the calendar's years")
      }
      let found = try reading(query.account) { [query] in
        try await $0.ageing(matching: query, on: today)
      }
      return JSONText.encode(AgeingDocument(found ?? [], asOf: today))
    }
    guard let by = InvoiceGrouping(rawValue: grouping) else {
      let known = (InvoiceGrouping.allCases.map(\.rawValue) + ["ageing"]).joined(separator: ", ")
      throw Misuse.badArgument(message: "unknown grouping '\(grouping)'; available: \(known)")
    }
    guard by != .month else {
      let found = try reading(query.account) { [query] in
        try await $0.monthlyTotals(matching: query)
      }
      return JSONText.encode(InvoiceSummaryDocument(found ?? []))
    }
    let found = try reading(query.account) { [query] in
      try await $0.totals(matching: query, by: by)
    }
    return JSONText.encode(InvoiceGroupsDocument(found ?? [], by: by))
  }

  func contacts(_ choice: appcore_query) throws -> String {
    var query = try ContactQuery(choice)
    query.account = try account(of: choice)
    let found = try reading(query.account) { [query] in try await $0.contacts(matching: query) }
    return Self.list("contacts", found ?? []) { JSONText.encode(ContactDocument($0)) }
  }

  func contactCount(_ choice: appcore_query) throws -> Int {
    var query = try ContactQuery(choice)
    query.account = try account(of: choice)
    return try reading(query.account) { [query] in
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

  /// Returns the account of a query; `nil` for all.
  private func account(of choice: appcore_query) throws -> String? {
    let name = try account(choice.account)
    return name == "*" ? nil : name
  }

  private static func list<Record>(
    _ name: String, _ records: [Record], _ json: (Record) -> String
  ) -> String {
    let frame = JSONFrame(name: name)
    var text = frame.beginning
    for (index, record) in records.enumerated() {
      text += frame.element(json: json(record), isFirst: index == 0)
    }
    // The end of a file has a newline.
    return text + frame.end(isEmpty: records.isEmpty).dropLast()
  }
}
