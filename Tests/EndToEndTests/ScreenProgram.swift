import Foundation
import TestSupport

/// The real program at a terminal of its own, which the test types into.
final class ScreenProgram: Sendable {
  private let program: ChildProcess
  private let input = Pipe()

  /// True if `script`, which opens the terminal, is installed.
  static var isAvailable: Bool { ChildProcess.find("script") != nil }

  init(_ arguments: [String], environment: [String: String]) throws {
    guard let script = ChildProcess.find("script") else { throw CocoaError(.fileNoSuchFile) }
    let command = ([try ChildProcess.built("appcore")] + arguments)
      .map { "'\($0)'" }.joined(separator: " ")
    program = try ChildProcess(
      script, ["-qec", command, "/dev/null"],
      environment: environment.merging(["SHELL": "/bin/sh", "TERM": "xterm"]) { $1 }, input: input)
  }

  /// Everything that the terminal has shown.
  var screen: String { program.output.replacing("\r\n", with: "\n") }

  /// Waits until the terminal shows a text, or the program has ended.
  func awaitText(_ text: String) async throws {
    try await eventually("it shows \(text)") {
      self.screen.contains(text) || !self.program.isRunning
    }
  }

  /// Waits for a question and answers it.
  func answer(_ question: String, _ text: String) async throws {
    try await awaitText(question)
    try input.fileHandleForWriting.write(contentsOf: Data((text + "\n").utf8))
  }

  func ending() async -> (status: Int32, screen: String) {
    let ending = await program.ending()
    return (ending.status, screen)
  }
}
