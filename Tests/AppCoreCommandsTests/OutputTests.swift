import Foundation
import Models
import Sync
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

  @Test("a sync that is under way elsewhere is 75, and worth trying again")
  func alreadyRunning() {
    let failure = Failure(SyncError.alreadyRunning(account: "default"))
    #expect(failure.status == .tryAgainLater && failure.status.rawValue == 75)
    #expect(failure.isRetryable && failure.code == "already-running")
  }

  @Test("usage errors are 64, help is 0")
  func usage() async {
    #expect(await CommandLineProgram.run(["invoices", "list", "--limit", "0"]) == .usage)
    #expect(await CommandLineProgram.run(["invoices", "list", "--from", "yesterday"]) == .usage)
    #expect(await CommandLineProgram.run(["sync", "--help"]) == .done)
  }

  @Test("a QR code has its three corner marks, a quiet zone, and is square on a terminal")
  func qrCode() throws {
    let text = try #require(QRCode("https://example.com/device?user_code=BCDF-GHJK")).text
    let lines = text.split(separator: "\n").map(Array.init)
    let width = try #require(lines.first?.count)
    #expect(lines.allSatisfy { $0.count == width } && lines.count == (width + 1) / 2)
    #expect(lines[0].allSatisfy { $0 == "\u{2588}" } && lines[1].allSatisfy { $0 == "\u{2588}" })
    // The outer ring of a mark is seven dark modules: four of quiet zone, then the mark.
    for column in [4, width - 11] {
      #expect(lines[2][column] == " " && lines[2][column + 6] == " ")
      #expect(lines[2][column + 1...column + 5].allSatisfy { $0 == "\u{2584}" })
    }
    #expect(QRCode(String(repeating: "x", count: 5_000)) == nil)
  }
}
