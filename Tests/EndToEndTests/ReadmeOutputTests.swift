import Foundation
import Sandbox
import TestSupport
import Testing

/// The README shows what the real program prints.
@Suite(
  .serialized, .timeLimit(.minutes(10)), .cleansUp,
  .enabled(
    if: PrivateKeyring.isAvailable && ScreenProgram.isAvailable,
    "dbus, gnome-keyring or script is not installed"))
struct ReadmeOutputTests {
  private struct Example: Equatable {
    let command: String
    let output: String
  }

  private static let readme = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "README.md")

  /// The commands of the README's session, each with its output.
  private func examples() throws -> [Example] {
    let text = try String(contentsOf: Self.readme, encoding: .utf8)
    let session = try #require(text.split(separator: "```\n$ ").dropFirst().first)
    return try #require(session.split(separator: "\n```").first).split(separator: "\n$ ").map {
      let parts = $0.split(separator: "\n", maxSplits: 1).map(String.init)
      return Example(command: parts[0], output: parts.count == 2 ? parts[1] : "")
    }
  }

  /// Returns an output without the times that every run measures anew.
  private func timeless(_ text: String) -> String {
    text.replacing(#/[0-9.]+ m?s\)/#, with: "TIME)")
  }

  @Test("the commands of the README print what it shows, at a terminal of 100 columns")
  func outputs() async throws {
    let examples = try examples()
    #expect(examples.count == 5)
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 250, seed: 1) }
      .signedIn()
    // The folder of temporary files ends with a slash.
    let home = fixture.keyring.home.path.replacing("//", with: "/")
    var environment = fixture.environment
    environment["TERM"] = "dumb"
    environment["NO_COLOR"] = "1"
    let program = try ChildProcess.built("appcore")
    let script = try #require(ChildProcess.find("script"))
    for example in examples {
      let arguments = example.command.replacing(#/^appcore /#, with: "")
      // The folder has a longer name here.
      let longer = example.output.contains("/home/ada") ? home.count - "/home/ada".count : 0
      let ending = try await ChildProcess(
        script,
        [
          "-qec", "stty cols \(100 + longer); cd '\(home)' && '\(program)' \(arguments)",
          "/dev/null",
        ],
        environment: environment
      ).ending()
      #expect(ending.status == 0, "\(ending.output)")
      let lines = ending.output.replacing("\r\n", with: "\n").replacing(home, with: "/home/ada")
      #expect(timeless(lines) == timeless(example.output + "\n"), "\(example.command)")
    }
  }

  @Test("the README is short")
  func length() throws {
    let text = try String(contentsOf: Self.readme, encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 191)
  }
}
