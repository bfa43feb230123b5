import Foundation
import Logging
import Networking
import SystemSupport

/// The program's log on standard error, at the level that the options request.
struct ConsoleLog: Sendable {
  let verbosity: Int
  let inColor: Bool
  let tracesHTTP: Bool
  let terminal: Terminal

  private var level: Logger.Level {
    switch verbosity {
    case ...0: .error
    case 1: .debug
    default: .trace
    }
  }

  func logger(label: String) -> Logger {
    Logger(label: label) { handler(label: $0) }
  }

  /// Returns the output of `--trace-http`: one line for each finished HTTP request.
  static func trace(to terminal: Terminal) -> @Sendable (HTTPExchange) -> Void {
    { terminal.post(traced($0)) }
  }

  static func traced(_ exchange: HTTPExchange) -> String {
    printable("http \(exchange.session): \(exchange)")
  }

  func handler(label: String) -> ConsoleLogHandler {
    // The trace already reports each request.
    let isTold = tracesHTTP && label == "appcore.networking"
    return ConsoleLogHandler(
      terminal: terminal, label: label, inColor: inColor,
      logLevel: isTold ? max(level, .debug) : level
    )
  }
}

extension ConsoleLog {
  init(_ options: GlobalOptions, in environment: CommandEnvironment) {
    verbosity = options.verbose
    inColor = options.color.allows(
      onTerminal: environment.terminal.error.isTerminal, environment: environment.variables)
    tracesHTTP = options.traceHTTP
    terminal = environment.terminal
  }
}

struct ConsoleLogHandler: LogHandler {
  let terminal: Terminal
  let label: String
  let inColor: Bool
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var all = metadata
    all.merge(metadataProvider?.get() ?? [:]) { $1 }
    all.merge(event.metadata ?? [:]) { $1 }
    if let error = event.error { all["error"] = "\(error)" }
    let line = LogLine(
      level: event.level, label: label, message: "\(event.message)", metadata: all)
    guard !terminal.isErrorJSON else {
      return terminal.post(line.text(at: Date(), inColor: false))
    }
    terminal.postFormatted(line.text(at: Date(), inColor: inColor))
  }
}

/// A line of the log in a form for people to read.
///
/// `14:03:07.412 debug   sync: stored a page account=default page=1`.
struct LogLine {
  let level: Logger.Level
  let label: String
  let message: String
  let metadata: Logger.Metadata

  func text(at time: Date, in zone: TimeZone = .current, inColor: Bool) -> String {
    let module = label.hasPrefix("appcore.") ? String(label.dropFirst(8)) : label
    let fields = metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\(Self.text(of: $0.value))" }
    let name = level.rawValue
    let shown = inColor ? "\u{1B}[\(Self.color(of: level))m\(name)\u{1B}[0m" : name
    let padding = String(repeating: " ", count: max(0, 7 - name.count))
    return "\(Self.clock(time, zone)) \(shown)\(padding) "
      + printable("\(module): \(message)" + fields.joined())
  }

  private static func text(of value: Logger.Metadata.Value) -> String {
    let text = "\(value)"
    let isPlain = !text.isEmpty && !text.contains { $0.isWhitespace || $0 == "\"" || $0 == "=" }
    guard !isPlain else { return text }
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }

  private static func clock(_ time: Date, _ zone: TimeZone) -> String {
    let seconds = time.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: time))
    let milliseconds = Int(clamping: seconds * 1_000, rounding: .down)
    func digits(_ unit: Int, _ count: Int, _ width: Int) -> String {
      let value = String(milliseconds / unit % count)
      return String(repeating: "0", count: width - value.count) + value
    }
    return digits(3_600_000, 24, 2) + ":" + digits(60_000, 60, 2) + ":" + digits(1_000, 60, 2) + "."
      + digits(1, 1_000, 3)
  }

  /// Returns the ECMA-48 code of a colour that is legible on light and dark backgrounds.
  private static func color(of level: Logger.Level) -> Int {
    switch level {
    case .critical, .error: 31
    case .warning: 33
    case .notice: 36
    case .info: 32
    case .debug, .trace: 2
    }
  }
}
