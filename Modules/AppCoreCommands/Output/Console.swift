/// Takes text, and answers how it was written.
protocol TextSink: Sendable {
  /// Whether a terminal shows what is written.
  var isTerminal: Bool { get }

  /// Writes all of a text, waiting for its reader; it blocks its thread.
  func write(_ text: String) -> StandardStream.Outcome
}

extension StandardStream: TextSink {}

/// The streams of a program: data goes to standard output, everything else to standard error.
struct Console: Sendable {
  let output: any TextSink
  let error: any TextSink
  /// The thread that writes to both.
  let thread: OutputThread

  /// The console of the process.
  static let process = Console(
    output: StandardStream.output, error: StandardStream.error, thread: .shared)

  /// Prints a text on standard output, and waits until it is written.
  ///
  /// - Throws: ``OutputFailed`` where it cannot be written whole, as on a full disk;
  ///   `CancellationError` where the program was asked to end while the reader does not go on.
  func print(_ text: String) async throws {
    try await printFormatted(TerminalText.lines(text))
  }

  /// Prints a document as JSON.
  ///
  /// - Throws: as ``print(_:)``.
  func printJSON(_ document: some Encodable) async throws {
    let json = JSONText.encode(document, isPretty: output.isTerminal)
    try await printFormatted(output.isTerminal ? TerminalText.json(json) : json)
  }

  private func printFormatted(_ text: String) async throws {
    let text = Self.line(text)
    try await thread.run { [output] in output.write(text) }.check()
  }

  /// Writes a message on standard error without waiting for its reader.
  func post(_ text: String) {
    postFormatted(TerminalText.lines(text))
  }

  /// Writes a message on standard error whose parts were filtered, and which holds control
  /// characters of our own.
  func postFormatted(_ text: String) {
    thread.post(Self.line(text), to: error)
  }

  /// Writes on standard error why a command failed.
  func report(_ failures: Failures, asJSON: Bool) {
    guard asJSON else { return post(failures.text) }
    let json = failures.json(isPretty: error.isTerminal)
    postFormatted(error.isTerminal ? TerminalText.json(json) : json)
  }

  /// Waits until everything that was posted is written, or given up.
  func flush() async { await thread.flush() }

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
