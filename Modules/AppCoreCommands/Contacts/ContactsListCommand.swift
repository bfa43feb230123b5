import AppCore
import ArgumentParser
import Storage

/// `appcore contacts list`.
struct ContactsListCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List contacts with their invoices and the amounts due.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption
  @OptionGroup var filter: ContactFilterOptions
  @OptionGroup var rowLimit: RowLimit
  @OptionGroup var output: OutputOption

  func run(in environment: CommandEnvironment) async throws {
    try await CommandContext.run(
      global, accounts: accountsOption, in: environment
    ) { context in
      var query = filter.query
      query.accounts = context.accounts
      let (database, wanted) = (try await context.database(), query)
      try await output.write(in: context) { console in
        try await write(wanted, of: database, to: console, in: context)
      }
    }
  }

  private func write(
    _ asked: ContactQuery, of database: LocalDatabase?, to console: Console,
    in context: CommandContext
  ) async throws {
    let terminal = context.terminal
    let style = TableStyle(
      global.color, sink: console.output, variables: context.environment.variables)
    let isTable = !terminal.isJSON
    var query = asked
    query.limit = rowLimit.rows(onTerminal: isTable && style.isTerminal)
    let writer: any ExportWriter<StoredContact> =
      isTable
      ? ContactListing(style: style, showsAccounts: context.showsAccounts)
      : ContactJSONExport(isPretty: console.output.isTerminal)
    let shown: @Sendable (String) -> String = { isTable ? $0 : TerminalText.json($0) }
    let count = try await writer.write(
      to: console, shown: shown
    ) { [query] body in
      try await database?.forEachContact(matching: query, body)
    }
    guard isTable else { return }
    if count == 0 {
      return try await ContactFilterOptions.noteEmpty(query, database, in: terminal)
    }
    guard style.isTerminal, count == query.limit, let database else { return }
    rowLimit.note(
      shown: count, of: try await database.contactCount(matching: query), in: terminal)
  }
}
