import AppCore

/// A console with the output options of one command.
struct Terminal: Sendable {
  let console: Console
  let isJSON: Bool
  let isQuiet: Bool
  /// True if a log or a trace goes to standard error.
  let showsSteps: Bool

  /// True if the command shows progress.
  var showsProgress: Bool { !isQuiet && !isJSON && !showsSteps && isUserAtStandardError }

  /// True if standard error is a terminal.
  var isUserAtStandardError: Bool { console.error.isTerminal }

  /// Prints data: the document with `--json`, else the text.
  ///
  /// - Throws: as ``Console/print(_:)``.
  func print(_ document: some Encodable, text: @autoclosure () -> String) async throws {
    guard isJSON else { return try await console.print(text()) }
    try await console.printJSON(document)
  }

  /// Writes a message on standard error, except with `--quiet`.
  func note(_ text: String) {
    if !isQuiet { console.post(text) }
  }

  /// Writes a hint on standard error, except with `--quiet`.
  func note(_ hint: Hint) { note(console.program.text(hint)) }

  /// Shows progress in place of the previous progress line.
  func progress(_ text: String) {
    if showsProgress { console.thread.post("\r\u{1B}[K" + printable(text), to: console.error) }
  }

  /// Erases the progress line.
  func endProgress() {
    if showsProgress { console.thread.post("\r\u{1B}[K", to: console.error) }
  }
}
