import AppCore
import Foundation
import Models
import ProviderConformance
import Providers
import Sync
import Testing

/// The guides show code that is compiled here.
@Suite(.timeLimit(.minutes(10))) struct DocumentationTests {
  @Test(
    "every piece of code in a guide is compiled here, word for word",
    arguments: [
      (
        "Providers/Providers.docc/WritingAProvider.md",
        ["LedgerlyProvider", "LedgerlyFeed", "LedgerlyRow", "FrontEnd", "ProviderTests"]
      ),
      ("AppCore/AppCore.docc/GettingStarted.md", ["GettingStarted"]),
    ])
  func codeIsCompiled(guide: String, files: [String]) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let root = folder.deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "Modules/" + guide), encoding: .utf8)
    let compiled = try files.map {
      try String(contentsOf: folder.appending(path: $0 + ".swift"), encoding: .utf8)
    }.joined(separator: "\n")
    let pieces = text.split(separator: "```swift\n").dropFirst().compactMap {
      $0.split(separator: "\n```").first
    }
    #expect(pieces.count > 1)
    for piece in pieces { #expect(compiled.contains(piece), "\(piece)") }
  }

  @Test("a front end's provider is looked up by accounts that name it")
  func registration() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".yaml")
    let yaml = """
      provider: ledgerly
      providers: { ledgerly: { baseURL: "http://127.0.0.1:1/v1" } }
      accounts: { default: { clientID: c } }
      """
    try Data(yaml.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let configuration = try frontEndConfiguration(from: file.path(percentEncoded: false))
    #expect(configuration.accounts["default"]?.provider == "ledgerly")
    #expect(configuration.accounts["default"]?.endpoints.baseURL == "http://127.0.0.1:1/v1")
    #expect(configuration.providers.map(\.name) == ["ledgerly"])
  }
}
