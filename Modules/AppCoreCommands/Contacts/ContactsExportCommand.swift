import AppCore
import ArgumentParser
import Reports
import Storage

/// `appcore contacts export`.
struct ContactsExportCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write all contacts, including deleted ones, or those that match.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption
  @OptionGroup var filter: ContactFilterOptions
  @OptionGroup var output: OutputOption

  @Option(help: ExportFormat.help)
  var format: ExportFormat?

  func run(in environment: CommandEnvironment) async throws {
    let format = try ExportFormat.chosen(format, isJSON: global.json, output)
    try await CommandContext.run(
      global, accounts: accountsOption, in: environment
    ) { context in
      var query = filter.query
      (query.accounts, query.includesDeleted, query.sort) = (context.accounts, true, .stored)
      let (database, wanted) = (try await context.database(), query)
      try await output.write(in: context) { console in
        let count = try await format.contactWriter(isPretty: console.output.isTerminal).write(
          to: console, shown: format == .csv ? TerminalText.csv : TerminalText.json
        ) { body in
          try await database?.forEachContact(matching: wanted, body)
        }
        if count == 0 {
          try await ContactFilterOptions.noteEmpty(wanted, database, in: context)
        }
      }
    }
  }
}

extension ExportFormat {
  fileprivate func contactWriter(isPretty: Bool) -> any ExportWriter<StoredContact> {
    switch self {
    case .csv: CSVExport(.contacts)
    case .json: ContactJSONExport(isPretty: isPretty)
    case .jsonl: ContactJSONLinesExport()
    }
  }
}
