/// A console as one command uses it, after its options.
struct Terminal: Sendable {
  let console: Console
  let isJSON: Bool
  let isQuiet: Bool
  /// Whether lines of a log or a trace go to standard error.
  let showsSteps: Bool

  /// Whether the user sees progress as it is written.
  var showsProgress: Bool { !isQuiet && !isJSON && !showsSteps && isUserAtStandardError }

  /// Whether standard error is a terminal.
  var isUserAtStandardError: Bool { console.error.isTerminal }

  /// Prints data: the document with `--json`, else the text.
  ///
  /// - Throws: as ``Console/print(_:)``.
  func print(_ document: some Encodable, text: @autoclosure () -> String) async throws {
    guard isJSON else { return try await console.print(text()) }
    try await console.printJSON(document)
  }

  /// Writes a message on standard error; not with `--quiet`.
  func note(_ text: String) {
    if !isQuiet { console.post(text) }
  }

  /// Shows progress, over the line of progress before.
  func progress(_ text: String) {
    if showsProgress { console.thread.post("\r\u{1B}[K" + printable(text), to: console.error) }
  }

  /// Removes the line of progress.
  func endProgress() {
    if showsProgress { console.thread.post("\r\u{1B}[K", to: console.error) }
  }
}
