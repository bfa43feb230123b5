import AppCore
import ArgumentParser
import Models
import Presentation
import Reports
import Storage

/// A query of invoices or contacts, as the commands `list`, `show` and `export` make it.
protocol RecordQuery: Sendable {
  associatedtype Record: Sendable
  associatedtype ShowDocument: Encodable

  /// The command that reads these records, and the name of their list in JSON.
  static var resource: Resource { get }
  static var csv: CSVTable<Record> { get }

  var accounts: [String]? { get set }
  var limit: Int? { get set }

  /// The query of an export with these filters, which has every record in the order of the table.
  ///
  /// - Parameter withParts: false to read what single values need.
  func exported(withParts: Bool) -> Self
  func forEach(
    in database: LocalDatabase, _ body: @escaping @Sendable (Record) throws -> Void
  ) async throws
  func count(in database: LocalDatabase) async throws -> Int
  func table(_ style: TableStyle, showsAccounts: Bool) -> RowFormat<Record>
  /// Writes on standard error why the query finds nothing.
  func noteEmpty(_ database: LocalDatabase?, in context: CommandContext) async throws

  /// Appends the JSON of a record.
  ///
  /// - Parameter withParts: false to leave out what lists omit.
  static func append(_ record: Record, withParts: Bool, to text: inout [UInt8])
  static func find(
    _ name: String, account: String, in database: LocalDatabase
  ) async throws -> [Record]
  static func failure(named name: String, _ found: [Record]) -> Failure
  static func document(of record: Record) -> ShowDocument
  static func sheet(of record: Record) -> String
}

extension RecordQuery {
  /// Lists the records: as a table, or as JSON with `--json`.
  func list(
    _ global: GlobalOptions, _ accounts: AccountsOption, _ rowLimit: RowLimit,
    _ output: OutputOption, in environment: CommandEnvironment
  ) async throws {
    try output.requireTable(
      isJSON: global.json, otherwise: [Self.resource.rawValue, "export"])
    try await CommandContext.run(global, accounts: accounts, in: environment) { context in
      var query = self
      query.accounts = context.accounts
      let database = try await context.database()
      try await context.requireContents(
        of: Self.resource, in: database, for: output.file(in: environment.currentDirectory))
      try await output.write(in: context) { terminal in
        var layout = TableStyle(global.color, terminal, environment.variables)
        layout.organisations = await context.shownOrganisations
        let style = layout
        let isTable = !terminal.isJSON
        var limited = query
        limited.limit = rowLimit.rows(on: isTable ? terminal.output : nil)
        let asked = limited
        let format =
          isTable
          ? asked.table(style, showsAccounts: context.showsAccounts)
          : Self.jsonFormat(on: terminal, withParts: false)
        let count = try await asked.write(format, database, to: terminal)
        guard isTable else { return HumanText.count(count, Self.resource) }
        if count == 0 { try await asked.noteEmpty(database, in: context) }
        if style.isTerminal, count == asked.limit, count > 0, let database {
          rowLimit.note(shown: count, of: try await asked.count(in: database), in: context.terminal)
        }
        return HumanText.count(count, "row")
      }
      try await context.noteAge(of: Self.resource)
    }
  }

  /// Writes all records with all their parts.
  ///
  /// - Parameter rows: the rows of CSV that an option asks for; `nil` for a row a record.
  func export(
    _ global: GlobalOptions, _ accounts: AccountsOption, _ format: ExportFormat,
    _ options: SpreadsheetOptions, rows: CSVTable<Record>? = nil, _ output: OutputOption,
    in environment: CommandEnvironment
  ) async throws {
    try options.check(format, hasRows: rows != nil)
    var csv = rows ?? Self.csv
    let dialect: CSVDialect? =
      if options.decimalComma { .spreadsheet(hasDecimalComma: true) } else if options.excel {
        CSVDialect.spreadsheet(environment: environment.variables)
      } else { .standard }
    csv.dialect = dialect ?? .spreadsheet(hasDecimalComma: false)
    let table = csv
    try await CommandContext.run(global, accounts: accounts, in: environment) { context in
      if dialect == nil {
        context.terminal.note(
          "The locale of LC_ALL, LC_NUMERIC or LANG is not installed; amounts have decimal points, "
            + "and commas separate the fields. For decimal commas, use --decimal-comma.")
      }
      var all = exported(withParts: format != .csv || table.needsLines)
      all.accounts = context.accounts
      let (query, database) = (all, try await context.database())
      try await context.requireContents(
        of: Self.resource, in: database, for: output.file(in: environment.currentDirectory))
      try await output.write(in: context) { terminal in
        let rows: RowFormat<Record> =
          switch format {
          case .csv: .csv(table)
          case .json: Self.jsonFormat(on: terminal, withParts: true)
          case .jsonl: .jsonLines { Self.append($0, withParts: true, to: &$1) }
          }
        let count = try await query.write(rows, database, to: terminal)
        if count == 0, !terminal.isJSON { try await query.noteEmpty(database, in: context) }
        return format == .csv
          ? HumanText.count(count, "row") : HumanText.count(count, Self.resource)
      }
      try await context.noteAge(of: Self.resource)
    }
  }

  /// Shows the one record that a name or an identifier names.
  static func show(
    _ name: String, _ global: GlobalOptions, _ account: AccountOption,
    in environment: CommandEnvironment
  ) async throws {
    try await CommandContext.run(global, account: account.account, in: environment) { context in
      let found =
        if let database = try await context.database() {
          try await find(name, account: context.account, in: database)
        } else {
          [Record]()
        }
      guard let only = found.first, found.count == 1 else {
        throw Failures(failure(named: name, found))
      }
      try await context.terminal.print(document(of: only), text: sheet(of: only))
    }
  }

  private func write(
    _ format: RowFormat<Record>, _ database: LocalDatabase?, to terminal: Terminal
  ) async throws -> Int {
    try await format.write(to: terminal) { body in
      if let database { try await forEach(in: database, body) }
    }
  }

  private static func jsonFormat(on terminal: Terminal, withParts: Bool) -> RowFormat<Record> {
    .json(resource.rawValue, isPretty: terminal.output.isTerminal) {
      append($0, withParts: withParts, to: &$1)
    }
  }
}

/// A format of an export, chosen by name or by the end of a file's name.
protocol ExportFormatting: ExpressibleByArgument, CaseIterable, RawRepresentable<String> {
  static var csv: Self { get }
  static var json: Self { get }

  /// Returns the format of files whose name ends so; `nil` if there is none.
  init?(suffix: String)
}

extension ExportFormatting {
  /// Returns the format that is named, or else the one that the file's name ends with.
  ///
  /// - Parameter usual: the format where nothing names one.
  /// - Throws: `ValidationError` if the name ends with something else.
  static func chosen(
    _ named: Self?, isJSON: Bool, _ output: OutputOption, otherwise usual: Self = .csv
  ) throws -> Self {
    if isJSON { return .json }
    if let named { return named }
    guard let suffix = output.suffix, suffix != "txt" else { return usual }
    guard let found = Self(suffix: suffix) else {
      throw ValidationError(
        "No format is known for '.\(suffix)'; choose one with --format"
          + (["xls", "xlsx", "ods"].contains(suffix) ? ", or name the file .csv." : "."))
    }
    return found
  }
}

enum ExportFormat: String, ExportFormatting {
  case csv, json, jsonl

  init?(suffix: String) { self.init(rawValue: suffix == "ndjson" ? "jsonl" : suffix) }
}

/// The options that say how an export is written.
struct ExportOptions: ParsableArguments {
  @Option(
    help: """
      Write csv (a row each), json (one document) or jsonl (a document per line). Default: as the \
      file of --output ends (.csv, .json, .jsonl, .ndjson), otherwise csv.
      """)
  var format: ExportFormat?

  @OptionGroup var spreadsheet: SpreadsheetOptions
}

/// The options for CSV that a spreadsheet program opens.
struct SpreadsheetOptions: ParsableArguments {
  @Flag(
    help: """
      Write csv for Excel, LibreOffice and the like: with a byte order mark, and ' before texts \
      that would run as formulas. If the locale (LC_ALL, LC_NUMERIC or LANG) has a decimal comma: \
      with decimal commas, and ; between fields.
      """)
  var excel = false

  @Flag(help: "As --excel with decimal commas and ; between fields, whatever the locale is.")
  var decimalComma = false

  /// Checks that no option is for CSV alone, unless CSV is written.
  ///
  /// - Parameter hasRows: true if options ask for other rows of CSV than one a record.
  /// - Throws: `ValidationError`.
  func check(_ format: some ExportFormatting, hasRows: Bool) throws {
    guard format.rawValue != "csv", excel || decimalComma || hasRows else { return }
    let option =
      excel ? "--excel is" : decimalComma ? "--decimal-comma is" : "--lines and --tax-rates are"
    throw ValidationError("\(option) for csv, not for \(format.rawValue).")
  }
}

/// The value of `--sort`: a key, with a leading `-` for descending order.
struct SortOrder<Key>: ExpressibleByArgument
where Key: RawRepresentable<String> & CaseIterable & Sendable {
  let key: Key
  let isAscending: Bool

  init(_ key: Key, isAscending: Bool) {
    (self.key, self.isAscending) = (key, isAscending)
  }

  init?(argument: String) {
    let isAscending = !argument.hasPrefix("-")
    guard let key = Key(rawValue: isAscending ? argument : String(argument.dropFirst())) else {
      return nil
    }
    self.init(key, isAscending: isAscending)
  }

  var defaultValueDescription: String { (isAscending ? "" : "-") + key.rawValue }

  static var defaultCompletionKind: CompletionKind {
    .list(allValueStrings + allValueStrings.map { "-" + $0 })
  }

  static var allValueStrings: [String] { Key.allCases.map(\.rawValue) }
}

/// The option that limits the rows of a list.
struct RowLimit: ParsableArguments {
  /// The number of rows on a terminal that does not state its height.
  private static let usual = 30
  /// The lines of a terminal that are no rows: the header, the note and the next prompt.
  private static let otherLines = 3

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop after N rows; 0 shows all. Default: what fits a terminal, else all.",
      valueName: "n"))
  var limit: Int?

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit has to be 0 (for all) or more.") }
  }

  /// Returns the number of rows to show; `nil` for all.
  ///
  /// - Parameter output: the destination of a table.
  func rows(on output: (any TextSink)?) -> Int? {
    if let limit { return limit == 0 ? nil : limit }
    guard let output, output.isTerminal else { return nil }
    return output.rows.map { max(1, $0 - Self.otherLines) } ?? Self.usual
  }

  /// Reports on a terminal that there are more rows than shown.
  func note(shown: Int, of total: Int, in terminal: Terminal) {
    guard shown < total else { return }
    terminal.note("Showing \(shown.grouped) of \(total.grouped); use --limit 0 for all")
  }
}
