import AppCore
import ArgumentParser
import Storage

/// `appcore invoices export`.
struct InvoicesExportCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write every invoice, including deleted ones, to standard output.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption

  @Option(help: "Write csv (a row each), json (one document) or jsonl (a document per line).")
  var format = ExportFormat.csv

  func run(in environment: CommandEnvironment) async throws {
    let format = global.json ? .json : format
    try await CommandContext.run(
      global, account: accountOption.account, in: environment
    ) { context in
      var query = InvoiceQuery()
      query.account = context.account
      query.includesVoidAndDeleted = true
      query.includesLines = format != .csv
      query.sort = .stored
      query.isAscending = true
      let console = context.terminal.console
      try await format.writer(isPretty: console.output.isTerminal).write(
        query, of: try await context.database(), to: console,
        shown: format == .csv ? TerminalText.csv : TerminalText.json)
    }
  }
}

/// The values of `--format`.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
  case csv, json, jsonl

  func writer(isPretty: Bool) -> any ExportWriter {
    switch self {
    case .csv: CSVExport()
    case .json: JSONExport(isPretty: isPretty)
    case .jsonl: JSONLinesExport()
    }
  }
}
