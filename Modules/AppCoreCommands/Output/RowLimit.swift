import ArgumentParser

/// The option that limits the rows of a list.
struct RowLimit: ParsableArguments {
  /// The number of rows on a terminal, where more would scroll by.
  private static let usual = 30

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop after N rows; 0 shows all. Default: 30 on a terminal, else all.", valueName: "n"))
  var limit: Int?

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit has to be 0 (for all) or more.") }
  }

  /// Returns the number of rows to show; `nil` for all.
  func rows(onTerminal isTerminal: Bool) -> Int? {
    guard let limit else { return isTerminal ? Self.usual : nil }
    return limit == 0 ? nil : limit
  }

  /// Reports on a terminal that there are more rows than shown.
  func note(shown: Int, of total: Int, in terminal: Terminal) {
    guard shown < total else { return }
    terminal.note("Showing \(shown.grouped) of \(total.grouped); use --limit 0 for all")
  }
}
