import Documents
import Foundation
import Testing

@testable import AppCoreCommands

/// Every document of `--json`, as a script reads it.
@Suite(.timeLimit(.minutes(5))) struct JSONDocumentTests {
  @Test("the documents of a session are the recorded ones", arguments: JSONSession.all)
  func recorded(session: JSONSession) async throws {
    let transcript = try await session.transcript()
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "JSONDocuments/" + session.name).appendingPathExtension("txt")
    // Records the documents after a wanted change:
    // APPCORE_RECORD=1 swift test --filter JSONDocumentTests
    if ProcessInfo.processInfo.environment["APPCORE_RECORD"] == "1" {
      try Data(transcript.utf8).write(to: file)
    }
    let expected = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n$ ")
    let found = transcript.components(separatedBy: "\n$ ")
    #expect(found.count == expected.count)
    // A difference names the command that it is of.
    for (found, expected) in zip(found, expected) { #expect(found == expected) }
  }

  @Test("every command that prints a document has a recorded one")
  func everyCommand() {
    let commands = JSONSession.all.flatMap(\.steps).map(\.command)
    // Setup has no document, and help is text.
    let silent = ["setup", "help"]
    for path in Self.leaves(of: [.appcore]) {
      let name = path.dropFirst().map(\.commandName).joined(separator: " ")
      guard !silent.contains(name) else { continue }
      #expect(commands.contains { $0.hasPrefix(name) }, "\(name)")
    }
  }

  private static func leaves(of path: [CommandDescription]) -> [[CommandDescription]] {
    let subcommands = path[path.count - 1].shownSubcommands
    return subcommands.isEmpty ? [path] : subcommands.flatMap { leaves(of: path + [$0]) }
  }
}
