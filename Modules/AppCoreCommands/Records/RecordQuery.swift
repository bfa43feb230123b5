import AppCore
import ArgumentParser
import Documents
import Models
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
  func exported(_ format: ExportFormat) -> Self
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
        let style = TableStyle(global.color, terminal, environment.variables)
        let isTable = !terminal.isJSON
        var limited = query
        limited.limit = rowLimit.rows(on: isTable ? terminal.output : nil)
        let asked = limited
        let format =
          isTable
          ? asked.table(style, showsAccounts: context.showsAccounts)
          : Self.jsonFormat(on: terminal, withParts: false)
        let count = try await asked.write(format, database, to: terminal)
        guard isTable else { return }
        if count == 0 { return try await asked.noteEmpty(database, in: context) }
        guard style.isTerminal, count == asked.limit, let database else { return }
        rowLimit.note(shown: count, of: try await asked.count(in: database), in: context.terminal)
      }
    }
  }

  /// Writes all records with all their parts.
  func export(
    _ global: GlobalOptions, _ accounts: AccountsOption, _ format: ExportFormat?,
    _ output: OutputOption, in environment: CommandEnvironment
  ) async throws {
    let format = try ExportFormat.chosen(format, isJSON: global.json, output)
    try await CommandContext.run(global, accounts: accounts, in: environment) { context in
      var all = exported(format)
      all.accounts = context.accounts
      let (query, database) = (all, try await context.database())
      try await context.requireContents(
        of: Self.resource, in: database, for: output.file(in: environment.currentDirectory))
      try await output.write(in: context) { terminal in
        let rows: RowFormat<Record> =
          switch format {
          case .csv: .csv(Self.csv)
          case .json: Self.jsonFormat(on: terminal, withParts: true)
          case .jsonl: .jsonLines { Self.append($0, withParts: true, to: &$1) }
          }
        if try await query.write(rows, database, to: terminal) == 0, !terminal.isJSON {
          try await query.noteEmpty(database, in: context)
        }
      }
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

enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
  case csv, json, jsonl

  static let help: ArgumentHelp = """
    Write csv (a row each), json (one document) or jsonl (a document per line). Default: as the \
    file of --output ends (.csv, .json, .jsonl, .ndjson), otherwise csv.
    """

  /// Returns the format that the options ask for, or else the one that the file's name ends with.
  ///
  /// - Throws: `ValidationError` if the name ends with something else.
  fileprivate static func chosen(
    _ format: Self?, isJSON: Bool, _ output: OutputOption
  ) throws -> Self {
    if isJSON { return .json }
    guard format == nil, let suffix = output.suffix, suffix != "txt" else {
      return format ?? .csv
    }
    guard let found = Self(rawValue: suffix == "ndjson" ? "jsonl" : suffix) else {
      throw ValidationError("No format is known for '.\(suffix)'; choose one with --format.")
    }
    return found
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
