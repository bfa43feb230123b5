import ArgumentParser
import ErrorCodes
import Foundation
import Testing

@testable import AppCoreCommands

/// Every page of help, as a user sees it.
@Suite(.timeLimit(.minutes(10))) struct HelpPageTests {
  /// The examples of the commands that help shows, by command.
  private static let exampleLines: [String: [String]] = Dictionary(
    uniqueKeysWithValues: paths(of: [.appcore]).map { path in
      (HelpPage(path).name, path[path.count - 1].examples)
    })

  /// The commands that help shows, without `appcore`.
  private static let commands: [String] = exampleLines.keys.sorted()

  private static func paths(of path: [CommandDescription]) -> [[CommandDescription]] {
    [path] + path[path.count - 1].shownSubcommands.flatMap { paths(of: path + [$0]) }
  }

  @Test(
    "the help of each command and topic is the recorded page",
    arguments: commands + HelpTopic.allCases.map(\.rawValue))
  func recordedPages(name: String) async throws {
    let ending = try await CommandFixture().run(
      ["help"] + name.split(separator: " ").map(String.init))
    #expect(ending.status == .done && ending.errors.isEmpty)
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "HelpPages/" + (name.isEmpty ? "appcore" : name.replacing(" ", with: "-")))
      .appendingPathExtension("txt")
    // Records the pages after a wanted change: APPCORE_RECORD=1 swift test --filter HelpPageTests
    if ProcessInfo.processInfo.environment["APPCORE_RECORD"] == "1" {
      try Data(ending.output.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == ending.output)
  }

  @Test("every page fits 80 columns and holds ASCII alone", arguments: commands)
  func width(name: String) async throws {
    let words = name.split(separator: " ").map(String.init)
    let help = try await CommandFixture().run(words + ["--help"])
    for line in help.output.split(separator: "\n") {
      #expect(line.count <= 80 && line.utf8.allSatisfy { $0 < 0x7F }, "\(line)")
    }
    #expect(help.output == (try await CommandFixture().run(["help"] + words)).output)
  }

  @Test("every topic fits 80 columns", arguments: HelpTopic.allCases)
  func topicWidth(topic: HelpTopic) {
    for line in topic.text().split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test("the topic exit-codes has each code of the guide, with its meaning")
  func exitCodes() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let guide = try String(
      contentsOf: root.appending(path: "Modules/AppCore/AppCore.docc/ExitCodes.md"),
      encoding: .utf8)
    let help = HelpTopic.exitCodes.text().split(whereSeparator: \.isWhitespace)
      .joined(separator: " ").lowercased()
    let rows = guide.matches(of: #/\n\| (?<codes>\d[\d, ]*) \| (?<meaning>[^|]+) \|/#)
    #expect(rows.count == 11)
    for row in rows {
      let meaning = row.codes.replacing(" ", with: "") + " " + row.meaning.replacing("`", with: "")
      #expect(help.contains(meaning.lowercased()), "\(meaning)")
    }
  }

  @Test("every command has its own options first, then examples, and the global options last")
  func order() async throws {
    let page = try await CommandFixture().run("sync", "invoices", "--help").output
    let headings = page.split(separator: "\n").filter {
      $0.hasSuffix(":") && !$0.hasPrefix(" ")
    }
    #expect(headings == ["OPTIONS:", "EXAMPLES:", "GLOBAL OPTIONS:"])
    let global = try #require(page.split(separator: "GLOBAL OPTIONS:").last)
    #expect(global.contains("--config <file>") && !global.contains("--full"))
  }

  @Test("every command has examples, and each is a command line that works", arguments: commands)
  func examples(name: String) async throws {
    let examples = try #require(Self.exampleLines[name])
    #expect(!examples.isEmpty)
    for example in examples {
      let words = Self.words(example)
      let command = name.split(separator: " ").map(String.init)
      #expect(words.starts(with: command), "\(example)")
      _ = try await RootCommand.asyncParseAsRoot(words)
    }
  }

  /// Returns the words that a shell passes to the program.
  private static func words(_ line: String) -> [String] {
    var words = [""]
    var isQuoted = false
    for letter in line.prefix(while: { !"|<>#".contains($0) }) {
      switch letter {
      case "'": isQuoted.toggle()
      case " " where !isQuoted: words.append("")
      default: words[words.count - 1].append(letter)
      }
    }
    return words.filter { !$0.isEmpty }
  }
}
