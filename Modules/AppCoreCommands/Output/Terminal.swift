import AppCore
import ErrorCodes
import Foundation
import Models
import Presentation

/// A destination of text, such as standard output.
protocol TextSink: Sendable {
  var isTerminal: Bool { get }
  /// The number of columns of the terminal; `nil` if it does not state one.
  var columns: Int? { get }
  /// The number of rows of the terminal; `nil` if it does not state one.
  var rows: Int? { get }

  /// Writes a whole text; blocks the thread until the reader has taken it.
  func write(_ text: [UInt8]) -> StandardStream.Outcome
}

extension TextSink {
  var rows: Int? { nil }

  /// Returns appcore's own lines, broken at words if a terminal is too narrow for them.
  fileprivate func wrapped(_ lines: String) -> String {
    TerminalText.wrapped(lines, to: isTerminal ? columns : nil)
  }
}

extension StandardStream: TextSink {}

/// The streams of the program, with the output options of a command: data goes to standard output,
/// everything else to standard error.
struct Terminal: Sendable {
  var output: any TextSink
  let error: any TextSink
  let thread: OutputThread
  var program = HintProgram()
  /// True if each line on standard error is a JSON object, as with `--progress json`.
  var isErrorJSON = false
  var isJSON = false
  var isQuiet = false
  /// True if a log or a trace goes to standard error.
  var showsSteps = false

  static let process = Terminal(
    output: StandardStream.output, error: StandardStream.error, thread: .shared)

  func with(_ options: GlobalOptions) -> Terminal {
    var terminal = self
    terminal.isJSON = options.json
    terminal.isQuiet = options.quiet
    terminal.showsSteps = options.verbose > 0 || options.traceHTTP
    return terminal
  }

  func writing(to output: any TextSink) -> Terminal {
    var terminal = self
    terminal.output = output
    return terminal
  }

  var showsProgress: Bool { !isQuiet && !isJSON && !showsSteps && isUserAtStandardError }

  var isUserAtStandardError: Bool { error.isTerminal }

  /// True if one reader sees both streams, and so the failures that follow on standard error.
  var showsFailuresBelow: Bool { output.isTerminal && error.isTerminal }

  /// Prints a text on standard output, and waits until it is written.
  ///
  /// - Throws: ``OutputFailed`` if the text cannot be written completely, as on a full disk;
  ///   `CancellationError` if the program was asked to end and the reader does not read on.
  func print(_ text: String) async throws {
    try await printFormatted(TerminalText.lines(text))
  }

  /// Prints data: the document with `--json`, else the text.
  ///
  /// - Parameter wraps: true to break the lines of the text at words, on a terminal.
  func print(
    _ document: some Encodable, text: @autoclosure () -> String, wraps: Bool = false
  ) async throws {
    guard isJSON else {
      let lines = TerminalText.lines(text())
      return try await printFormatted(wraps ? output.wrapped(lines) : lines)
    }
    try await printJSON(document)
  }

  func printJSON(_ document: some Encodable) async throws {
    let json = JSONText.encode(document, isPretty: output.isTerminal)
    try await printFormatted(output.isTerminal ? TerminalText.json(json) : json)
  }

  /// Prints a text whose parts the caller has filtered, such as a table in colour.
  func printFormatted(_ text: String) async throws {
    let text = Self.line(text)
    try await thread.run { [output] in output.write(text) }.check()
  }

  /// Writes the content of a file on standard output, which is no terminal.
  ///
  /// - Throws: ``OutputFailed``; `CancellationError`; an error of reading.
  func write(contentsOf path: String) async throws {
    try await thread.run { [output] in
      Result {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        while let piece = try file.read(upToCount: 1 << 17), !piece.isEmpty {
          let outcome = output.write(Array(piece))
          try outcome.check()
          if outcome == .readerLeft { return }
        }
      }
    }.get()
  }

  /// Writes a message on standard error without waiting for its reader.
  func post(_ text: String) {
    guard isErrorJSON else { return postFormatted(error.wrapped(TerminalText.lines(text))) }
    post(json: JSONText.encode(NoteDocument(message: TerminalText.wrapped(text, to: nil))))
  }

  func post(json: String) {
    postFormatted(error.isTerminal ? TerminalText.json(json) : json)
  }

  /// Writes a message on standard error whose parts the caller has filtered; it may contain control
  /// characters of appcore's own.
  func postFormatted(_ text: String) {
    thread.post(Self.line(text), to: error)
  }

  func note(_ text: String) {
    if !isQuiet { post(text) }
  }

  func note(_ hint: Hint) { note(program.text(hint, isUnbroken: true)) }

  func progress(_ text: String) {
    if showsProgress { thread.post(Array(("\r\u{1B}[K" + printable(text)).utf8), to: error) }
  }

  func endProgress() {
    if showsProgress { thread.post(Array("\r\u{1B}[K".utf8), to: error) }
  }

  /// Writes the failures of a command on standard error.
  ///
  /// - Parameters:
  ///   - failures: the failures.
  ///   - asJSON: true for one JSON object, which ``isErrorJSON`` implies.
  ///   - interruption: the exit code of the signal that interrupted the command.
  func report(_ failures: Failures, asJSON: Bool, interruption: Int32? = nil) {
    let failures = Failures(failures.all.map(program.adapted)) ?? failures
    guard asJSON || isErrorJSON else { return post(failures.text) }
    post(
      json: failures.json(
        isPretty: error.isTerminal && !isErrorJSON, interruption: interruption))
  }

  func flush() async { await thread.flush() }

  private static func line(_ text: String) -> [UInt8] {
    Array((text.hasSuffix("\n") || text.isEmpty ? text : text + "\n").utf8)
  }

  private struct NoteDocument: Encodable {
    let schemaVersion = 1
    let event = "note"
    let message: String
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

struct OutputFailed: FailureConvertible {
  var failure: Failure {
    Failure(
      .output, "cannot write to standard output",
      "Check where it goes, and the free space of the disk.")
  }
}
