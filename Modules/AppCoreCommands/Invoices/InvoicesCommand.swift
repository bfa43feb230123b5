import AppCore
import ArgumentParser
import Models
import Presentation
import Storage

struct InvoicesCommand: CommandGroup {
  static let configuration = CommandConfiguration(
    commandName: "invoices", abstract: "Read the invoices in the database.",
    subcommands: [
      InvoicesListCommand.self, InvoicesShowCommand.self, InvoicesSummaryCommand.self,
      InvoicesExportCommand.self,
    ])
  static let examples = [
    "invoices list --search 'blue paint'", "invoices show INV-100246",
  ]
}

private struct InvoicesListCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List invoices, the newest first.")
  static let examples = [
    "invoices list --overdue --sort dueDate",
    "invoices list --status open --contact 'acme lo'",
    "invoices list --unpaid --type invoice --sort -amountDue",
    "invoices list --changed-since yesterday",
    "invoices list --from 30d --min 1000 --currency EUR",
    "invoices list --account acme,globex --overdue",
    "invoices list --json | jq '.invoices | length'",
  ]

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption

  @OptionGroup var filter: InvoiceFilterOptions

  @Option(parsing: .unconditional, help: "Sort by this key; a leading - reverses the order.")
  var sort = SortOrder(InvoiceQuery.Sort.issueDate, isAscending: false)

  @OptionGroup var rowLimit: RowLimit
  @OptionGroup var output: OutputOption

  func run(in environment: CommandEnvironment) async throws {
    var query = filter.query
    query.sort = sort.key
    query.isAscending = sort.isAscending
    query.includesLines = false
    try await query.list(global, accountsOption, rowLimit, output, in: environment)
  }
}

private struct InvoicesShowCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one invoice with its lines.")
  static let examples = [
    "invoices show INV-100246", "invoices show INV-100246 --json | jq '.invoice.lines'",
  ]

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption

  @Argument(
    help: ArgumentHelp(
      "The invoice's number or id, in any case, or the first 8 letters of its id.", valueName: "id"),
    completion: ConfiguredValues.invoiceNumbers)
  var id: String

  func run(in environment: CommandEnvironment) async throws {
    try await InvoiceQuery.show(id, global, accountOption, in: environment)
  }
}

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

  @OptionGroup var period: PeriodOptions

  @Option(
    help: ArgumentHelp(
      "Keep invoices that a sync has stored, changed or marked as deleted since this day or "
        + "instant (3m: months), void and deleted ones included.",
      valueName: "day"),
    transform: FilterValue.instant)
  var changedSince: Timestamp?

  @Option(
    help: ArgumentHelp(
      "Keep invoices with all of these words in number, contact, reference or lines; the last may "
        + "be the beginning of one.",
      valueName: "words"))
  var search: String?

  @Flag(
    help: """
      Keep open and partially paid documents past their due date: invoices, bills and credit \
      notes. With --type invoice: what customers owe.
      """)
  var overdue = false

  @Flag(
    help: """
      Keep open and partially paid documents, whether due or not. With --type invoice: what \
      customers owe.
      """)
  var unpaid = false

  @Flag(help: "Leave out drafts, scheduled, void and deleted documents, as reports do.")
  var issued = false

  @Flag(help: "Include void and deleted invoices.")
  var all = false

  func validate() throws {
    if issued, all { throw ValidationError("--issued and --all exclude each other.") }
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
    query.issuedFrom = period.first
    query.issuedThrough = period.last
    query.search = search
    query.changedSince = changedSince
    if changedSince != nil { query.includesVoidAndDeleted = true }
    query.issuedOnly = issued
    if unpaid { query.keepUnpaid() }
    if overdue { query.dueBefore = .today() }
    return query
  }
}

/// The options that choose the days of issue, or of payment.
struct PeriodOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Keep what was issued or paid on or after this day: 2026-03-31, 2026-03, 2026-Q1, 2026, 30d, 2w, 3m "
        + "(months), yesterday, last-quarter and the like.",
      valueName: "day"),
    transform: FilterValue.period)
  var from: CalendarPeriod?

  @Option(
    help: ArgumentHelp("Keep what was issued or paid on or before this day.", valueName: "day"),
    transform: FilterValue.period)
  var to: CalendarPeriod?

  @Option(
    help: ArgumentHelp(
      "Keep what was issued or paid in this month: 2026-03, this or last.", valueName: "month"),
    transform: { try FilterValue.period(.month, $0) })
  var month: CalendarPeriod?

  @Option(
    help: ArgumentHelp(
      "Keep what was issued or paid in this quarter: 2026-Q1, q1, this or last.",
      valueName: "quarter"),
    transform: { try FilterValue.period(.quarter, $0) })
  var quarter: CalendarPeriod?

  @Option(
    help: ArgumentHelp(
      "Keep what was issued or paid in this year: 2026, this or last.", valueName: "year"),
    transform: { try FilterValue.period(.year, $0) })
  var year: CalendarPeriod?

  private var periods: [CalendarPeriod] { [month, quarter, year].compactMap(\.self) }

  func validate() throws {
    guard periods.count < 2, periods.isEmpty || from == nil && to == nil else {
      throw ValidationError("--month, --quarter, --year and --from or --to cannot be combined.")
    }
    try FilterOrder.check(from: from, to: to)
  }

  /// The first day; `nil` for any.
  var first: CalendarDate? { (periods.first ?? from)?.first }

  /// The last day; `nil` for any.
  var last: CalendarDate? { (periods.first ?? to)?.last }
}

/// The order of the options that name the two ends of a range.
enum FilterOrder {
  /// Requires that `--from` is not after `--to`.
  ///
  /// - Throws: `ValidationError`.
  static func check(from: CalendarPeriod?, to: CalendarPeriod?) throws {
    try validating { try FilterValue.checkOrder(from: from, to: to, prefix: "--") }
  }

  /// Requires that `--max` is not less than `--min`.
  ///
  /// - Throws: `ValidationError`.
  static func check(min: ExactDecimal?, max: ExactDecimal?) throws {
    try validating { try FilterValue.checkOrder(min: min, max: max, prefix: "--") }
  }

  private static func validating(_ check: () throws -> Void) throws {
    do { try check() } catch let error as InvalidFilterValue {
      throw ValidationError(error.description + ".")
    }
  }
}
