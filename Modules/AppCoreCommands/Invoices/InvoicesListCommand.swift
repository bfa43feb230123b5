import AppCore
import ArgumentParser
import Storage

/// `appcore invoices list`.
struct InvoicesListCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List invoices, the newest first.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption

  @OptionGroup var filter: InvoiceFilterOptions

  @Option(parsing: .unconditional, help: "Sort by this key; a leading - reverses the order.")
  var sort = InvoiceSortOrder()

  @Option(help: ArgumentHelp("Maximum number of invoices to show.", valueName: "n"))
  var limit: Int?

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit has to be 1 or more.") }
  }

  func run(in environment: CommandEnvironment) async throws {
    var query = filter.query
    query.sort = sort.key
    query.isAscending = sort.isAscending
    query.limit = limit
    query.includesLines = false
    let asked = query
    try await CommandContext.run(
      global, account: accountOption.account, in: environment
    ) { context in
      var query = asked
      query.account = context.account
      let (terminal, console) = (context.terminal, context.terminal.console)
      let writer: any ExportWriter =
        terminal.isJSON
        ? JSONExport(isPretty: console.output.isTerminal, withLines: false) : InvoiceListing()
      try await writer.write(
        query, of: try await context.database(), to: console,
        shown: terminal.isJSON ? TerminalText.json : TerminalText.lines)
    }
  }
}

/// The value of `--sort`: a key, with a leading `-` for descending order.
struct InvoiceSortOrder: ExpressibleByArgument {
  var key = InvoiceQuery.Sort.issueDate
  var isAscending = false

  init() {}

  init?(argument: String) {
    let name = argument.hasPrefix("-") ? String(argument.dropFirst()) : argument
    guard let key = InvoiceQuery.Sort(rawValue: name) else { return nil }
    self.key = key
    isAscending = !argument.hasPrefix("-")
  }

  var defaultValueDescription: String { "-issueDate" }

  static var defaultCompletionKind: CompletionKind {
    .list(allValueStrings + allValueStrings.map { "-" + $0 })
  }

  static var allValueStrings: [String] { InvoiceQuery.Sort.allCases.map(\.rawValue) }
}
