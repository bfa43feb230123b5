import AppCore
import CAppCore
import Models
import Storage

extension InvoiceQuery {
  /// Reads a caller's choice; the account is left to the caller.
  ///
  /// - Throws: ``Misuse``.
  init(_ choice: appcore_query) throws {
    self.init()
    includesLines = false
    search = try CText.optional(choice.search, "search")
    contact = try CText.optional(choice.contact, "contact")
    (offset, limit) = try QueryText.page(choice)
    if let text = try CText.optional(choice.sort, "sort") {
      (sort, isAscending) = try QueryText.order(text, InvoiceQuery.Sort.self)
    }
    let named = try CText.optional(choice.status, "status").map { text in
      Set(try QueryText.value { try FilterValue.list(text, "status", InvoiceStatus.allCases) })
    }
    keep(named, includesAll: choice.all != 0)
    if let text = try CText.optional(choice.type, "type") {
      types = Set(try QueryText.value { try FilterValue.list(text, "type", InvoiceType.allCases) })
    }
    if let text = try CText.optional(choice.currency, "currency") {
      currencies = Set(try QueryText.value { try FilterValue.currencies(text) })
    }
    if let text = try CText.optional(choice.min, "min") {
      minimumTotal = try QueryText.value { try FilterValue.amount(text) }
    }
    if let text = try CText.optional(choice.max, "max") {
      maximumTotal = try QueryText.value { try FilterValue.amount(text) }
    }
    let (from, to) = (
      try QueryText.period(choice.from, "from"), try QueryText.period(choice.to, "to")
    )
    (issuedFrom, issuedThrough) = (from?.first, to?.last)
    try QueryText.value {
      try FilterValue.checkOrder(from: from, to: to)
      try FilterValue.checkOrder(min: minimumTotal, max: maximumTotal)
    }
    if choice.overdue != 0 { dueBefore = .today() }
  }
}

extension ContactQuery {
  /// Reads a caller's choice; the account is left to the caller.
  ///
  /// - Throws: ``Misuse``.
  init(_ choice: appcore_query) throws {
    self.init()
    search = try CText.optional(choice.search, "search")
    includesDeleted = choice.all != 0
    (offset, limit) = try QueryText.page(choice)
    if let text = try CText.optional(choice.sort, "sort") {
      (sort, isAscending) = try QueryText.order(text, ContactQuery.Sort.self)
    }
    let others = [
      choice.status, choice.type, choice.currency, choice.min, choice.max, choice.contact,
      choice.from, choice.to,
    ]
    guard choice.overdue == 0, others.allSatisfy({ $0 == nil }) else {
      throw Misuse.badArgument(message: "the query has a choice that is for invoices alone")
    }
  }
}
