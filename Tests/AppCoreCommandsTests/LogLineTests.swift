import Foundation
import Logging
import Testing

@testable import AppCoreCommands
@testable import Networking

/// The output of `--verbose` and `--trace-http`.
@Suite(.timeLimit(.minutes(10))) struct LogLineTests {
  private let noon = Date(timeIntervalSince1970: 43_200.25)

  private func line(
    _ level: Logger.Level = .info, _ label: String = "appcore.sync", _ message: String = "stored",
    _ metadata: Logger.Metadata = [:], inColor: Bool = false
  ) throws -> String {
    let zone = try #require(TimeZone(secondsFromGMT: 5_400))
    return LogLine(level: level, label: label, message: message, metadata: metadata)
      .text(at: noon, in: zone, inColor: inColor)
  }

  @Test("a line has the local time, level, module, message, and fields in order")
  func shape() throws {
    let metadata: Logger.Metadata = ["rows": "100", "account": "default", "reason": "no \"way\""]
    #expect(
      try line(.info, "appcore.sync", "stored", metadata)
        == #"13:30:00.250 info    sync: stored account=default reason="no \"way\"" rows=100"#)
    #expect(try line(.warning, "other.library") == "13:30:00.250 warning other.library: stored")
  }

  @Test("no value in a log can end its line or steer the terminal")
  func controlCharacters() throws {
    let text = try line(.error, "appcore.sync", "a\nb\u{1B}[2J", ["x": "c\r\nd"])
    #expect(text == "13:30:00.250 error   sync: a\u{FFFD}b\u{FFFD}[2J x=\"c\u{FFFD}\u{FFFD}d\"")
  }

  @Test("only the level is in colour, if colour is allowed")
  func color() throws {
    #expect(
      try line(.warning, inColor: true) == "13:30:00.250 \u{1B}[33mwarning\u{1B}[0m sync: stored")
    let environment = ["TERM": "xterm"]
    #expect(ColorChoice.auto.allows(onTerminal: true, environment: environment))
    #expect(!ColorChoice.auto.allows(onTerminal: false, environment: environment))
    #expect(!ColorChoice.auto.allows(onTerminal: true, environment: ["NO_COLOR": "1"]))
    #expect(!ColorChoice.auto.allows(onTerminal: true, environment: ["TERM": "dumb"]))
    #expect(ColorChoice.always.allows(onTerminal: false, environment: ["NO_COLOR": "1"]))
    #expect(!ColorChoice.never.allows(onTerminal: true, environment: environment))
  }

  @Test(
    "errors are always logged, steps with -v, details with -vv; a request is not logged twice",
    arguments: [
      (0, false, Logger.Level.error, Logger.Level.error), (1, false, .debug, .debug),
      (2, false, .trace, .trace), (1, true, .debug, .debug), (2, true, .trace, .debug),
      (0, true, .error, .error),
    ])
  func levels(verbosity: Int, traces: Bool, sync: Logger.Level, networking: Logger.Level) {
    let log = ConsoleLog(
      verbosity: verbosity, inColor: false, tracesHTTP: traces, terminal: .process)
    #expect(log.handler(label: "appcore.sync").logLevel == sync)
    #expect(log.handler(label: "appcore.networking").logLevel == networking)
  }

  @Test("a traced request is one line with its session, whatever a server put into it")
  func trace() {
    let exchange = HTTPExchange(
      session: "invoices", method: "GET", url: "https://h/x?page=1", attempt: 2,
      outcome: .response(status: 200), bodySize: 1_204, waitedForPermit: .zero,
      waitedForCredentials: .milliseconds(57), untilHead: .microseconds(11_940),
      duration: .microseconds(12_345))
    #expect(
      ConsoleLog.traced(exchange)
        == "http invoices: GET https://h/x?page=1 200, 12.3 ms (head 11.9 ms), 1204 bytes, "
        + "attempt 2, credentials 57.0 ms")
  }
}
