import Documents

/// A destination of text, such as standard output.
protocol TextSink: Sendable {
  /// True if the destination is a terminal.
  var isTerminal: Bool { get }
  /// The number of columns of the terminal; `nil` if it does not state one.
  var columns: Int? { get }

  /// Writes a whole text; blocks the thread until the reader has taken it.
  func write(_ text: String) -> StandardStream.Outcome
}

extension StandardStream: TextSink {}

/// The streams of a program: data goes to standard output, everything else to standard error.
struct Console: Sendable {
  let output: any TextSink
  let error: any TextSink
  /// The thread that writes to both streams.
  let thread: OutputThread
  /// The program that the commands in hints call.
  var program = HintProgram()
  /// True if each line on standard error is a JSON object, as with `--progress json`.
  var isErrorJSON = false

  /// The console of the process.
  static let process = Console(
    output: StandardStream.output, error: StandardStream.error, thread: .shared)

  /// Prints a text on standard output, and waits until it is written.
  ///
  /// - Throws: ``OutputFailed`` if the text cannot be written completely, as on a full disk;
  ///   `CancellationError` if the program was asked to end and the reader does not read on.
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

  /// Prints a text whose parts the caller has filtered, such as a table in colour.
  ///
  /// - Throws: as ``print(_:)``.
  func printFormatted(_ text: String) async throws {
    let text = Self.line(text)
    try await thread.run { [output] in output.write(text) }.check()
  }

  /// Writes a message on standard error without waiting for its reader.
  func post(_ text: String) {
    guard isErrorJSON else { return postFormatted(TerminalText.lines(text)) }
    let json = JSONText.encode(NoteDocument(message: text))
    postFormatted(error.isTerminal ? TerminalText.json(json) : json)
  }

  /// Writes a message on standard error without filtering it.
  ///
  /// The caller has filtered its parts; the message may contain control characters of appcore's
  /// own.
  func postFormatted(_ text: String) {
    thread.post(Self.line(text), to: error)
  }

  /// Writes the failures of a command on standard error.
  ///
  /// - Parameters:
  ///   - failures: the failures.
  ///   - asJSON: true for one JSON object, which ``isErrorJSON`` implies.
  ///   - interruption: the exit code of the signal that interrupted the command.
  func report(_ failures: Failures, asJSON: Bool, interruption: Int32? = nil) {
    let failures = Failures(failures.all.map(program.adapted)) ?? failures
    guard asJSON || isErrorJSON else { return post(HumanText.withLocalTimes(failures.text)) }
    let json = failures.json(
      isPretty: error.isTerminal && !isErrorJSON, interruption: interruption)
    postFormatted(error.isTerminal ? TerminalText.json(json) : json)
  }

  /// Waits until every posted message is written or abandoned.
  func flush() async { await thread.flush() }

  private static func line(_ text: String) -> String {
    text.hasSuffix("\n") || text.isEmpty ? text : text + "\n"
  }
}

extension StandardStream.Outcome {
  /// Throws an error unless the text was written or the reader left.
  ///
  /// - Throws: ``OutputFailed``, `CancellationError`.
  func check() throws {
    switch self {
    case .written, .readerLeft: break
    case .interrupted: throw CancellationError()
    case .failed: throw OutputFailed()
    }
  }
}

/// The error thrown if standard output cannot be written.
struct OutputFailed: Error {}

/// A message among the JSON objects on standard error.
private struct NoteDocument: Encodable {
  let schemaVersion = 1
  let event = "note"
  let message: String
}
