import ErrorCodes
import Foundation
import TestSupport
import Testing

@testable import AppCoreCommands
@testable import Presentation

/// Commands in one home, one after the other, whose documents are recorded in one file.
struct JSONSession: Sendable, CustomTestStringConvertible {
  /// A command, and what the server answers to it.
  struct Step: Sendable {
    let command: String
    let replies: [String]

    /// - Parameters:
    ///   - command: the command line after `appcore`.
    ///   - replies: the replies of the server, in their order.
    init(_ command: String, _ replies: String...) {
      (self.command, self.replies) = (command, replies)
    }
  }

  let name: String
  var configuration = "accounts: { default: { provider: acme } }"
  var resources = ""
  /// Prepares the home, such as by storing records.
  var prepare: @Sendable (CommandFixture) async throws -> Void = { _ in }
  let steps: [Step]

  var testDescription: String { name }

  /// Runs the commands; returns their documents, and what they write on standard error.
  func transcript() async throws -> String {
    let fixture = try CommandFixture(configuration: configuration, resources: resources)
    try await prepare(fixture)
    var parts: [String] = []
    for step in steps {
      for reply in step.replies.reversed() { fixture.server.answerNext(.reply(reply)) }
      let command = step.command.replacing("SERVER", with: fixture.server.url)
      let ending = await fixture.run(command.split(separator: " ").map(String.init), input: "k")
      var part = "$ appcore \(step.command)\n" + Self.indented(ending.output)
      if !ending.errors.isEmpty { part += "# standard error\n" + Self.indented(ending.errors) }
      if ending.status != .done { part += "# exit \(ending.status.rawValue)\n" }
      parts.append(Self.masked(part, fixture))
    }
    return parts.joined(separator: "\n")
  }

  /// Indents each document; other lines stay as they are.
  private static func indented(_ text: String) -> String {
    text.split(separator: "\n").map { line in
      (line.hasPrefix("{")
        ? String(decoding: JSONText.indented(Array(line.utf8)), as: UTF8.self) : String(line))
        + "\n"
    }.joined()
  }

  /// Replaces what differs between two runs: paths, ports, the present time and durations.
  private static func masked(_ text: String, _ fixture: CommandFixture) -> String {
    text.replacing(fixture.home.path, with: "HOME")
      .replacing(fixture.home.path.replacing("//", with: "/"), with: "HOME")
      .replacing("127.0.0.1:\(fixture.server.port)", with: "SERVER")
      .replacing(#/\d{4}-\d\d-\d\dT[\d:.]+Z/#) { $0.output > "2025" ? "NOW" : $0.output }
      .replacing(#/"asOf": "[\d-]+"/#) { _ in #""asOf": "TODAY""# }
      .replacing(#/"(duration|waited)Seconds": [\d.]+/#) { #""\#($0.output.1)Seconds": SECONDS"# }
      .replacing(#/ *"(recordsPerSecond|remainingSeconds)": [\d.]+,\n/#) { _ in "" }
      .replacing(#/"generation": \d+/#) { _ in #""generation": GENERATION"# }
      .replacing(#/\d+ MB free/#) { _ in "ROOM" }
      .replacing(#/"commit": "\w+"/#) { _ in #""commit": null"# }
  }
}
