/// The output of a list command: a table, or JSON with `--json`.
struct ListOutput {
  let console: Console
  let terminal: Terminal
  let style: TableStyle
  private let rowLimit: RowLimit

  init(
    _ console: Console, _ rowLimit: RowLimit, color: ColorChoice, in context: CommandContext
  ) {
    self.console = console
    self.rowLimit = rowLimit
    terminal = context.terminal
    style = TableStyle(color, sink: console.output, variables: context.environment.variables)
  }

  var isTable: Bool { !terminal.isJSON }

  /// The largest number of rows to show; `nil` for all.
  var limit: Int? { rowLimit.rows(onTerminal: isTable && style.isTerminal) }

  /// Writes the records that `forEach` reads, and below a table a note if there are none or more.
  ///
  /// - Parameters:
  ///   - total: counts the records without the limit.
  ///   - noteEmpty: says why there are none.
  func write<Record: Sendable>(
    _ writer: any ExportWriter<Record>,
    _ forEach: (_ body: @escaping @Sendable (Record) throws -> Void) async throws -> Void,
    total: () async throws -> Int?, noteEmpty: () async throws -> Void
  ) async throws {
    // The cells of a table were filtered one by one.
    let isTable = isTable
    let shown: @Sendable (String) -> String = { isTable ? $0 : TerminalText.json($0) }
    let count = try await writer.write(to: console, shown: shown, forEach)
    guard isTable else { return }
    if count == 0 { return try await noteEmpty() }
    guard style.isTerminal, count == limit, let total = try await total() else { return }
    rowLimit.note(shown: count, of: total, in: terminal)
  }
}
