import AppCore
import ArgumentParser
import Storage

/// `appcore invoices list`.
struct InvoicesListCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List invoices, the newest first.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption

  @OptionGroup var filter: InvoiceFilterOptions

  @Option(parsing: .unconditional, help: "Sort by this key; a leading - reverses the order.")
  var sort = InvoiceSortOrder()

  @OptionGroup var rowLimit: RowLimit
  @OptionGroup var output: OutputOption

  func validate() throws {
    try output.requireTable(isJSON: global.json, otherwise: "appcore invoices export")
  }

  func run(in environment: CommandEnvironment) async throws {
    var query = filter.query
    query.sort = sort.key
    query.isAscending = sort.isAscending
    query.includesLines = false
    let asked = query
    try await CommandContext.run(
      global, accounts: accountsOption, in: environment
    ) { context in
      var query = asked
      query.accounts = context.accounts
      let database = try await context.database()
      try await output.write(in: context) { console in
        try await write(query, of: database, to: console, in: context)
      }
    }
  }

  private func write(
    _ asked: InvoiceQuery, of database: LocalDatabase?, to console: Console,
    in context: CommandContext
  ) async throws {
    let list = ListOutput(console, rowLimit, color: global.color, in: context)
    var limited = asked
    limited.limit = list.limit
    let query = limited
    let writer: any ExportWriter<StoredInvoice> =
      list.isTable
      ? InvoiceListing(
        style: list.style, showsAccounts: context.showsAccounts, showsDue: query.dueBefore != nil,
        isByDue: query.sort == .dueDate)
      : JSONExport(isPretty: console.output.isTerminal, withLines: false)
    try await list.write(
      writer,
      { try await database?.forEachInvoice(matching: query, $0) },
      total: { try await database?.invoiceCount(matching: query) },
      noteEmpty: { try await EmptyResult.note(query, database, in: context) })
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
