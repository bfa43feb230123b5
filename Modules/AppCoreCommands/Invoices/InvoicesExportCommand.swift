import AppCore
import ArgumentParser
import Storage

/// `appcore invoices export`.
struct InvoicesExportCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write all invoices, including void and deleted ones, or those that match.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption

  @OptionGroup var filter: InvoiceFilterOptions
  @OptionGroup var output: OutputOption

  @Option(help: "Write csv (a row each), json (one document) or jsonl (a document per line).")
  var format = ExportFormat.csv

  func run(in environment: CommandEnvironment) async throws {
    let format = global.json ? .json : format
    var query = filter.query
    query.includesVoidAndDeleted = true
    query.includesLines = format != .csv
    query.sort = .stored
    query.isAscending = true
    let asked = query
    try await CommandContext.run(
      global, accounts: accountsOption, in: environment
    ) { context in
      var query = asked
      query.accounts = context.accounts
      let (database, wanted) = (try await context.database(), query)
      try await output.write(in: context) { console in
        let count = try await format.writer(isPretty: console.output.isTerminal).write(
          to: console, shown: format == .csv ? TerminalText.csv : TerminalText.json
        ) { body in
          try await database?.forEachInvoice(matching: wanted, body)
        }
        if count == 0 { try await EmptyResult.note(wanted, database, in: context.terminal) }
      }
    }
  }
}

/// The values of `--format`.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
  case csv, json, jsonl

  func writer(isPretty: Bool) -> any ExportWriter<StoredInvoice> {
    switch self {
    case .csv: CSVExport()
    case .json: JSONExport(isPretty: isPretty)
    case .jsonl: JSONLinesExport()
    }
  }
}
