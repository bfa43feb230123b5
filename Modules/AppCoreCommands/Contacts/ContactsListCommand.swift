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

  func validate() throws {
    try output.requireTable(isJSON: global.json, otherwise: "appcore contacts export")
  }

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
    let list = ListOutput(console, rowLimit, color: global.color, in: context)
    var limited = asked
    limited.limit = list.limit
    let query = limited
    let writer: any ExportWriter<StoredContact> =
      list.isTable
      ? ContactListing(style: list.style, showsAccounts: context.showsAccounts)
      : ContactJSONExport(isPretty: console.output.isTerminal)
    try await list.write(
      writer,
      { try await database?.forEachContact(matching: query, $0) },
      total: { try await database?.contactCount(matching: query) },
      noteEmpty: {
        try await ContactFilterOptions.noteEmpty(query, database, in: context)
      })
  }
}
