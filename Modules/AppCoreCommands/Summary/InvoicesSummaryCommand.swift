import AppCore
import ArgumentParser
import Documents
import Models
import Storage

/// `appcore invoices summary`.
struct InvoicesSummaryCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "summary",
    abstract: "Total invoices by month, quarter, contact or status, or by days overdue.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption
  @OptionGroup var filter: InvoiceFilterOptions

  @Option(help: "Total by this value, currency and type.")
  var by: SummaryKey?

  @Flag(help: "Total the amounts due of unpaid invoices by days since they were due.")
  var ageing = false

  @OptionGroup var rowLimit: RowLimit
  @OptionGroup var output: OutputOption

  func validate() throws {
    if ageing, by != nil { throw ValidationError("--ageing cannot be combined with --by.") }
    try output.requireTable(isJSON: global.json, otherwise: "appcore invoices summary --json")
  }

  func run(in environment: CommandEnvironment) async throws {
    let asked = filter.query
    try await CommandContext.run(
      global, accounts: accountsOption, in: environment
    ) { context in
      var query = asked
      query.accounts = context.accounts
      let (database, wanted) = (try await context.database(), query)
      try await output.write(in: context) { console in
        let isFound = try await write(wanted, of: database, to: console, in: context)
        if !isFound { try await EmptyResult.note(wanted, database, in: context) }
      }
    }
  }

  /// Writes the sums of each account.
  ///
  /// - Returns: whether there are any.
  private func write(
    _ query: InvoiceQuery, of database: LocalDatabase?, to console: Console,
    in context: CommandContext
  ) async throws -> Bool {
    let style = TableStyle(
      global.color, sink: console.output, variables: context.environment.variables)
    let printing = SummaryPrinting(
      console: console, terminal: context.terminal, style: style, rowLimit: rowLimit,
      showsAccounts: context.showsAccounts)
    if ageing {
      // A day outside the calendar's years is no day of a report.
      guard let today = CalendarDate.today() else { return true }
      let found = try await database?.ageing(matching: query, on: today) ?? []
      let document = AgeingDocument(found, asOf: today)
      return try await printing.print(
        document, "OVERDUE", found.flatMap { SummaryTable.Row.rows($0) }, isLimited: false)
    }
    let grouping = by?.grouping ?? .month
    guard grouping != .month else {
      let found = try await database?.monthlyTotals(matching: query) ?? []
      let document = InvoiceSummaryDocument(found)
      return try await printing.print(document, "MONTH", found.map { SummaryTable.Row($0) })
    }
    let found = try await database?.totals(matching: query, by: grouping) ?? []
    let document = InvoiceGroupsDocument(found, by: grouping)
    return try await printing.print(
      document, grouping.rawValue.uppercased(),
      found.map { SummaryTable.Row($0, style: style) })
  }
}

/// The values of `--by`.
enum SummaryKey: String, ExpressibleByArgument, CaseIterable {
  case month, quarter, contact, status

  var grouping: InvoiceGrouping {
    switch self {
    case .month: .month
    case .quarter: .quarter
    case .contact: .contact
    case .status: .status
    }
  }
}

/// The output of a summary: a document, or a table.
private struct SummaryPrinting {
  let console: Console
  let terminal: Terminal
  let style: TableStyle
  let rowLimit: RowLimit
  let showsAccounts: Bool

  /// Prints the document with `--json`, which has every sum, or else the rows.
  ///
  /// - Returns: whether there are any rows.
  func print(
    _ document: some Encodable, _ label: String, _ rows: [SummaryTable.Row],
    isLimited: Bool = true
  ) async throws -> Bool {
    guard !terminal.isJSON else {
      try await console.printJSON(document)
      return true
    }
    guard !rows.isEmpty else { return false }
    let most = isLimited ? rowLimit.rows(onTerminal: style.isTerminal) : nil
    let shown = Array(rows.prefix(most ?? rows.count))
    try await console.printFormatted(
      SummaryTable(label, shown, style: style, showsAccounts: showsAccounts).text)
    if style.isTerminal { rowLimit.note(shown: shown.count, of: rows.count, in: terminal) }
    return true
  }
}
