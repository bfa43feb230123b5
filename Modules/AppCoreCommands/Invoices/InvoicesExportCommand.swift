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
      let database = try await context.database()
      let output = BufferedOutput(
        console, shown: format == .csv ? TerminalText.csv : TerminalText.json)
      let writer = format.writer(isPretty: console.output.isTerminal)
      do {
        try output.write(writer.beginning)
        try await database?.forEachInvoice(matching: query) { invoice in
          try output.write(writer.text(of: invoice, isFirst: output.count() == 1))
        }
        try output.write(writer.end(isEmpty: output.count() == 1))
        try await output.finish()
      } catch is ReaderLeft {
        // The reader wants no more, as after `| head`.
      }
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
