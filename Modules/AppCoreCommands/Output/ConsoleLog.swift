import Foundation
import Logging

/// The program's log on standard error, at the level that the options request.
struct ConsoleLog: Sendable {
  /// Number of `--verbose` flags.
  let verbosity: Int
  let inColor: Bool
  let tracesHTTP: Bool
  let console: Console

  private var level: Logger.Level {
    switch verbosity {
    case ...0: .error
    case 1: .debug
    default: .trace
    }
  }

  /// Creates the logger of a module.
  func logger(label: String) -> Logger {
    Logger(label: label) { handler(label: $0) }
  }

  func handler(label: String) -> ConsoleLogHandler {
    // The trace already reports each request.
    let isTold = tracesHTTP && label == "appcore.networking"
    return ConsoleLogHandler(
      console: console, label: label, inColor: inColor,
      logLevel: isTold ? max(level, .debug) : level
    )
  }
}

extension ConsoleLog {
  init(_ options: GlobalOptions, in environment: CommandEnvironment) {
    verbosity = options.verbose
    inColor = options.color.allows(
      onTerminal: environment.console.error.isTerminal, environment: environment.variables)
    tracesHTTP = options.traceHTTP
    console = environment.console
  }
}

/// A log handler that writes each event as one line.
struct ConsoleLogHandler: LogHandler {
  let console: Console
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
    guard !console.isErrorJSON else {
      return console.post(line.text(at: Date(), inColor: false))
    }
    console.postFormatted(line.text(at: Date(), inColor: inColor))
  }
}
