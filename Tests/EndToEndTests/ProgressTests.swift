import Foundation
import Sandbox
import TestSupport
import Testing

/// The progress that the real program shows, on a terminal and in a pipe.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp, .needsKeyring)
struct ProgressTests {
  private func fixture() async throws -> ProgramFixture {
    let fixture = try await ProgramFixture {
      $0.source = .generated(invoices: 600, seed: 3)
      $0.latency = .milliseconds(500)
    }.signedIn()
    return fixture
  }

  @Test(
    "the progress line fits the terminal, and is removed at the end",
    .enabled(if: ChildProcess.find("script") != nil, "script is not installed"))
  func terminal() async throws {
    let fixture = try await fixture()
    let program = try ChildProcess.built("appcore")
    func output(columns: Int, term: String) async throws -> String {
      var environment = fixture.environment
      environment["TERM"] = term
      environment["NO_COLOR"] = "1"
      return try await ChildProcess(
        try #require(ChildProcess.find("script")),
        ["-qec", "stty cols \(columns); \(program) sync invoices --full", "/dev/null"],
        environment: environment
      ).ending().output
    }
    for columns in [40, 80, 200] {
      let text = try await output(columns: columns, term: "xterm")
      let frames = text.components(separatedBy: "\r\u{1B}[K")
      #expect(frames.contains("Connecting to Xero…"), "\(text)")
      #expect(frames.dropLast().allSatisfy { $0.count < columns }, "\(text)")
      let end = try #require(frames.last)
      #expect(
        !end.contains("\u{1B}") && end.contains(columns == 40 ? "600 new" : "Up to date ("),
        "\(text)")
    }
    let dumb = try await output(columns: 80, term: "dumb")
    #expect(!dumb.contains("\u{1B}") && dumb.contains("Up to date ("), "\(dumb)")
  }

  @Test(
    "other commands show at a terminal the reason for a wait, and nothing in a pipe",
    .enabled(if: ChildProcess.find("script") != nil, "script is not installed"))
  func otherCommands() async throws {
    let fixture = try await fixture()
    let program = try ChildProcess.built("appcore")
    let script = try #require(ChildProcess.find("script"))
    var environment = fixture.environment
    environment["TERM"] = "xterm"
    let commands = [
      ("organisations", "Asking Xero for its organisations…"),
      ("doctor", "request default…"),
      ("doctor --provider xero", "Fetching invoices from Xero…"),
      ("logout", "Signing out of 'default'…"),
      ("login --token-stdin", "Checking the token at Xero…"),
    ]
    for (command, text) in commands {
      let arguments = command.split(separator: " ").map(String.init)
      if command != "logout" && !arguments.contains("--token-stdin") {
        let piped = try await fixture.start(arguments).ending()
        #expect(piped.status == 0 && piped.errors.isEmpty, "\(command): \(piped)")
      }
      let input = arguments.contains("--token-stdin") ? "echo sk_live_1 | " : ""
      let shown = try await ChildProcess(
        script, ["-qec", "stty cols 80; \(input)\(program) \(command)", "/dev/null"],
        environment: environment
      ).ending()
      #expect(shown.status == 0, "\(shown)")
      let frames = shown.output.components(separatedBy: "\r\u{1B}[K")
      #expect(frames.contains { $0.hasSuffix(text) }, "\(command): \(shown.output)")
      // The line is erased before the result.
      #expect(frames.last?.contains("…") == false, "\(command): \(shown.output)")
    }
  }

  @Test("a second sync names the first or ends immediately; an interrupted one says what is stored")
  func interruption() async throws {
    let fixture = try await fixture()
    fixture.server.armFault(
      Fault(
        path: "/api.xro/2.0/Invoices", kind: .delay, skip: 1, times: 20,
        delayMilliseconds: 3_600_000))
    let first = try fixture.start(["sync", "invoices", "--progress", "json"])
    try await eventually("a page is stored") { first.errors.contains(#""event":"stored""#) }
    let impatient = try await fixture.run("sync", "invoices", "--no-wait")
    #expect(impatient.status == 75 && !impatient.errors.contains("Waiting"), "\(impatient.errors)")
    let second = try fixture.start(["sync", "invoices"])
    try await eventually("the second names the first") {
      second.errors.hasPrefix("Waiting for another appcore (pid \(first.processID), running ")
    }
    let status = try await fixture.run("status").output
    #expect(status.contains("running since "), "\(status)")
    second.send(SIGINT)
    let gaveUp = await second.ending()
    #expect(gaveUp.status == 130 && gaveUp.errors.contains("interrupted before anything"))
    first.send(SIGINT)
    let ending = await first.ending()
    #expect(ending.status == 130)
    let last = try #require(ending.errors.split(separator: "\n").last)
    #expect(
      last.hasPrefix(#"{"error":{"code":"interrupted","exitCode":130,"#)
        && last.contains(#""message":"interrupted after 250 invoices""#), "\(ending.errors)")
    let after = try await fixture.run("status")
    #expect(after.status == 0)
    #expect(after.output.contains("after 250; run again to continue"), "\(after.output)")
  }

  @Test("a killed sync is shown as died, not as running")
  func killed() async throws {
    let fixture = try await fixture()
    fixture.server.armFault(
      Fault(
        path: "/api.xro/2.0/Invoices", kind: .delay, skip: 1, times: 20,
        delayMilliseconds: 3_600_000))
    let program = try fixture.start(["sync", "invoices", "--progress", "json"])
    try await eventually("a page is stored") { program.errors.contains(#""event":"stored""#) }
    program.send(SIGKILL)
    _ = await program.ending()
    let status = try await fixture.run("status").output
    #expect(
      status.contains("; died, begun ") && status.contains("after 250; run again"), "\(status)")
  }
}
