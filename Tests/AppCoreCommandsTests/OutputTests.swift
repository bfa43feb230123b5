import Foundation
import Models
import Testing

@testable import AppCoreCommands

@Suite struct OutputTests {
  @Test("absent values are written as null")
  func nulls() {
    struct Document: Encodable {
      let a = Nullable<String>(nil)
      let b = Nullable("x")
    }
    #expect(JSONText.encode(Document()).contains(#""a" : null"#))
  }

  @Test("control characters of a server do not reach the terminal")
  func controlCharacters() {
    #expect(printable("a\u{1B}[2Jb\u{7}é") == "a\u{FFFD}[2Jb\u{FFFD}é")
  }

  @Test("a cancelled command is interrupted, an unknown error unclassified and without its text")
  func failures() {
    struct Unknown: Error { let token = "canary" }
    #expect(Failure(CancellationError()).status == .interrupted)
    #expect(Failure(Unknown()).status == .unclassified)
    #expect(!Failure(Unknown()).document.json.contains("canary"))
  }

  @Test("usage errors are 64, help is 0")
  func usage() async {
    #expect(await CommandLineProgram.run(["invoices", "list", "--limit", "0"]) == .usage)
    #expect(await CommandLineProgram.run(["invoices", "list", "--from", "yesterday"]) == .usage)
    #expect(await CommandLineProgram.run(["sync", "--help"]) == .done)
  }
}
