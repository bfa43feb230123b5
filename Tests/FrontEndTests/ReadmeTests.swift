import Foundation
import Models
import Testing

/// The README and the modules' landing pages show code that a front end can compile.
@Suite(.timeLimit(.minutes(1))) struct ReadmeTests {
  @Test(
    "a page's code is compiled here, word for word",
    arguments: [
      "README.md",
      "Modules/JSONReading/JSONReading.docc/JSONReading.md",
      "Modules/Models/Models.docc/Models.md",
      "Modules/ProviderConformance/ProviderConformance.docc/ProviderConformance.md",
      "Modules/SecureStore/SecureStore.docc/SecureStore.md",
      "Modules/Storage/Storage.docc/Storage.md",
      "Modules/Sync/Sync.docc/Sync.md",
    ])
  func codeIsCompiled(page: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let root = folder.deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
    let compiled = try ["ReadmeExample", "PageExamples"]
      .map { try String(contentsOf: folder.appending(path: $0 + ".swift"), encoding: .utf8) }
      .joined(separator: "\n")
    let pieces = text.split(separator: "```swift\n").dropFirst().compactMap {
      $0.split(separator: "\n```").first
    }
    #expect(!pieces.isEmpty)
    for piece in pieces { #expect(compiled.contains(piece), "\(piece)") }
  }

  @Test("the examples of the landing pages do what the pages say")
  func codeRuns() throws {
    let euro = try #require(Currency(code: "EUR"))
    #expect(price("19.99", in: euro)?.amount.description == "19.99")
    #expect(try total(in: Array(#"{"a": [1], "total": 0.10}"#.utf8))?.description == "0.10")
  }
}
