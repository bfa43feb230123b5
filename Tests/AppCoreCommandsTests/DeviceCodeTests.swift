import Foundation
import Testing

@testable import AppCoreCommands
@testable import Authentication

/// The code that a user enters on another device.
@Suite(.timeLimit(.minutes(5))) struct DeviceCodeTests {
  @Test("a QR code that does not fit the terminal is left out; the address and the code stay")
  func width() async throws {
    let url = try #require(URL(string: "https://example.com/device?user_code=BCDF-GHJK"))
    let prompt = DeviceCodePrompt(
      userCode: "BCDF-GHJK", verificationURL: url, completeURL: nil, expiresAt: Date())
    let needed = try #require(QRCode(url.absoluteString)).columns
    for columns in [needed - 1, needed, 200] {
      let errors = TextRecorder(true, columns: columns)
      let console = Console(output: TextRecorder(), error: errors, thread: OutputThread())
      let terminal = Terminal(console: console, isJSON: false, isQuiet: false, showsSteps: false)
      try await TerminalSignIn(terminal: terminal).showDeviceCode(prompt)
      await console.flush()
      #expect(errors.text.contains(url.absoluteString) && errors.text.contains("BCDF-GHJK"))
      let rows = errors.text.split(separator: "\n").filter { $0.contains("\u{2588}") }
      #expect(rows.isEmpty == (columns < needed) && rows.allSatisfy { $0.count <= columns })
    }
  }
}
