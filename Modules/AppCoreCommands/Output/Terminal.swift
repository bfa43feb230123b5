/// Where output goes: data to standard output, everything else to standard error.
struct Terminal: Sendable {
  enum Stream: Sendable {
    case standardOutput
    case standardError

    /// Whether a terminal shows what is written.
    var isTerminal: Bool {
      (self == .standardOutput ? StandardStream.output : StandardStream.error).isTerminal
    }
  }

  let isJSON: Bool
  let isQuiet: Bool
  /// Whether lines of a log or a trace go to standard error.
  let tellsSteps: Bool

  /// Whether a person sees standard error as it is written.
  var showsProgress: Bool { !isQuiet && !isJSON && !tellsSteps && isPersonAtStandardError }

  /// Whether standard error is a terminal.
  var isPersonAtStandardError: Bool { Self.isPersonAtStandardError }

  static var isPersonAtStandardError: Bool { StandardStream.error.isTerminal }

  /// Prints data: the document with `--json`, else the text.
  ///
  /// - Throws: as ``print(_:)``.
  func print(_ document: some Encodable, text: @autoclosure () -> String) async throws {
    guard isJSON else { return try await Self.print(text()) }
    let json = JSONText.encode(document, for: .standardOutput)
    try await Self.write(StandardStream.output.isTerminal ? TerminalText.json(json) : json)
  }

  /// Prints a text on standard output, and waits until it is written.
  ///
  /// - Throws: ``OutputFailed`` where it cannot be written whole, as on a full disk; `CancellationError`
  ///   where the program is told to end while the reader does not go on.
  static func print(_ text: String) async throws {
    try await write(TerminalText.lines(text))
  }

  private static func write(_ text: String) async throws {
    let text = line(text)
    try await OutputThread.shared.run { StandardStream.output.write(text) }.check()
  }

  /// Tells the person something that is no data; not with `--quiet`.
  func note(_ text: String) {
    if !isQuiet { Self.tell(text) }
  }

  /// Shows how far something has got, over the line that it wrote before.
  func progress(_ text: String) {
    if showsProgress { OutputThread.shared.post("\r\u{1B}[K" + printable(text)) }
  }

  /// Removes the progress line.
  func endProgress() {
    if showsProgress { OutputThread.shared.post("\r\u{1B}[K") }
  }

  /// Says something on standard error, and waits for nobody.
  static func tell(_ text: String) {
    OutputThread.shared.post(line(TerminalText.lines(text)))
  }

  /// Says something on standard error whose parts were filtered, and which holds controls of our own.
  static func tellFormatted(_ text: String) {
    OutputThread.shared.post(line(text))
  }

  /// Says on standard error why a command failed.
  static func tell(_ failures: Failures, asJSON: Bool) {
    let text = failures.text(asJSON: asJSON)
    guard asJSON else { return tell(text) }
    OutputThread.shared.post(
      line(StandardStream.error.isTerminal ? TerminalText.json(text) : text))
  }

  private static func line(_ text: String) -> String {
    text.hasSuffix("\n") || text.isEmpty ? text : text + "\n"
  }
}

extension StandardStream.Outcome {
  /// - Throws: ``OutputFailed``, `CancellationError`.
  func check() throws {
    switch self {
    case .written, .readerLeft: break
    case .interrupted: throw CancellationError()
    case .failed: throw OutputFailed()
    }
  }
}

/// Standard output did not take what was written.
struct OutputFailed: Error {}
