import AppCore
import ArgumentParser
import Reports
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

  @Option(help: ExportFormat.help)
  var format: ExportFormat?

  func run(in environment: CommandEnvironment) async throws {
    let format = try ExportFormat.chosen(format, isJSON: global.json, output)
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
        if count == 0 { try await EmptyResult.note(wanted, database, in: context) }
      }
    }
  }
}

/// The values of `--format`.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
  case csv, json, jsonl

  static let help: ArgumentHelp = """
    Write csv (a row each), json (one document) or jsonl (a document per line). Default: as the \
    file of --output ends (.csv, .json, .jsonl, .ndjson), otherwise csv.
    """

  /// Returns the format that the options ask for, or else the one that the file's name ends with.
  ///
  /// - Throws: `ValidationError` if the name ends with something else.
  static func chosen(_ format: Self?, isJSON: Bool, _ output: OutputOption) throws -> Self {
    if isJSON { return .json }
    guard format == nil, let suffix = output.suffix, suffix != "txt" else {
      return format ?? .csv
    }
    guard let found = Self(rawValue: suffix == "ndjson" ? "jsonl" : suffix) else {
      throw ValidationError("No format is known for '.\(suffix)'; choose one with --format.")
    }
    return found
  }

  func writer(isPretty: Bool) -> any ExportWriter<StoredInvoice> {
    switch self {
    case .csv: CSVExport(.invoices)
    case .json: JSONExport(isPretty: isPretty)
    case .jsonl: JSONLinesExport()
    }
  }
}
