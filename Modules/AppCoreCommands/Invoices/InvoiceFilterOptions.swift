import AppCore
import ArgumentParser
import Models
import Storage

/// The options that select invoices.
struct InvoiceFilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Keep these statuses; separate several by commas.", valueName: "status"),
    completion: ListCompletion.of(InvoiceStatus.allCases.map(\.rawValue)),
    transform: { try FilterValue.list($0, "status", InvoiceStatus.allCases) })
  var status: [[InvoiceStatus]] = []

  @Option(
    help: ArgumentHelp("Keep these types; separate several by commas.", valueName: "type"),
    completion: ListCompletion.of(InvoiceType.allCases.map(\.rawValue)),
    transform: { try FilterValue.list($0, "type", InvoiceType.allCases) })
  var type: [[InvoiceType]] = []

  @Option(
    help: ArgumentHelp("Keep these currencies, such as EUR,USD.", valueName: "code"),
    transform: FilterValue.currencies)
  var currency: [[Currency]] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Keep invoices with this total or more.", valueName: "amount"),
    transform: FilterValue.amount)
  var min: ExactDecimal?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Keep invoices with this total or less.", valueName: "amount"),
    transform: FilterValue.amount)
  var max: ExactDecimal?

  @Option(
    help: ArgumentHelp(
      "Keep invoices of this contact: words of its name (the last may be a prefix), its id, or the "
        + "first 8 characters of it.",
      valueName: "text"))
  var contact: String?

  @Option(
    help: ArgumentHelp(
      "Keep invoices issued on or after this day: 2026-03-31, 2026-03, 2026, 30d, yesterday or "
        + "today.",
      valueName: "day"),
    transform: FilterValue.period)
  var from: CalendarPeriod?

  @Option(
    help: ArgumentHelp("Keep invoices issued on or before this day.", valueName: "day"),
    transform: FilterValue.period)
  var to: CalendarPeriod?

  @Option(
    help: ArgumentHelp("Keep invoices issued in this month.", valueName: "YYYY-MM"),
    transform: FilterValue.month)
  var month: CalendarMonth?

  @Option(
    help: ArgumentHelp(
      "Keep invoices with all of these words in number, contact, reference or lines.",
      valueName: "words"))
  var search: String?

  @Flag(
    help: """
      Keep open and partially paid documents past their due date: invoices, bills and credit \
      notes. With --type invoice: what customers owe.
      """)
  var overdue = false

  @Flag(help: "Include void and deleted invoices.")
  var all = false

  func validate() throws {
    if month != nil, from != nil || to != nil {
      throw ValidationError("--month cannot be combined with --from or --to.")
    }
    try FilterOrder.check(from: from, to: to)
    try FilterOrder.check(min: min, max: max)
  }

  /// The query of these options, without an account yet.
  var query: InvoiceQuery {
    var query = InvoiceQuery()
    query.keep(status.isEmpty ? nil : Set(status.joined()), includesAll: all)
    query.types = type.isEmpty ? nil : Set(type.joined())
    query.currencies = currency.isEmpty ? nil : Set(currency.joined())
    (query.minimumTotal, query.maximumTotal) = (min, max)
    query.contact = contact
    query.issuedFrom = month?.first ?? from?.first
    query.issuedThrough = month?.last ?? to?.last
    query.search = search
    if overdue { query.dueBefore = .today() }
    return query
  }
}
