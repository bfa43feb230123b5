import Foundation
import Presentation
import Testing

@testable import AppCoreCommands

/// Every document of `--json`, as a script reads it.
@Suite(.timeLimit(.minutes(10))) struct JSONDocumentTests {
  @Test("the documents of a session are the recorded ones", arguments: JSONSession.all)
  func recorded(session: JSONSession) async throws {
    let transcript = try await session.transcript()
    let file = Self.file(of: session)
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

  @Test("every command that prints a document has a recorded one, of a run that succeeded")
  func everyCommand() throws {
    let documented = try JSONSession.all.flatMap { session in
      let text = try String(contentsOf: Self.file(of: session), encoding: .utf8)
      // A failure has no document on standard output, or states its exit code.
      return ("\n" + text).components(separatedBy: "\n$ appcore ").filter {
        $0.contains("\n{") && !$0.contains("\n# exit ")
          && !$0.drop { $0 != "\n" }.hasPrefix("\n# standard error")
      }.map { $0.prefix { $0 != "\n" }.split(separator: " ").map(String.init) }
    }
    // Setup has no document, help is text, and the messages of a tap are Singer's.
    let silent = ["setup", "help", "singer"]
    for path in Self.leaves(of: [.appcore]) {
      let words = path.dropFirst().map(\.commandName)
      guard !silent.contains(words.joined(separator: " ")) else { continue }
      #expect(documented.contains { $0.starts(with: words) }, "\(words)")
    }
  }

  private static func file(of session: JSONSession) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "JSONDocuments/" + session.name).appendingPathExtension("txt")
  }

  private static func leaves(of path: [CommandDescription]) -> [[CommandDescription]] {
    let subcommands = path[path.count - 1].shownSubcommands
    return subcommands.isEmpty ? [path] : subcommands.flatMap { leaves(of: path + [$0]) }
  }
}
