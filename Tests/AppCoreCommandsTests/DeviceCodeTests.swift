import Foundation
import Testing

@testable import AppCoreCommands
@testable import Authentication

/// The code that a user enters on another device.
@Suite(.timeLimit(.minutes(10))) struct DeviceCodeTests {
  @Test("a code with control characters cannot change the terminal or the order of the text")
  func hostileCode() async throws {
    let url = try #require(URL(string: "https://example.com/device"))
    let code = "BC\u{1B}[2J\u{1B}]52;c;cm0=\u{7}\r\nDF\u{9B}1m\u{202E}GH\u{2028}JK"
    let prompt = DeviceCodePrompt(
      userCode: code, verificationURL: url, completeURL: nil, expiresAt: Date())
    let errors = TextRecorder()
    let terminal = Terminal(output: TextRecorder(), error: errors, thread: OutputThread())
    try await TerminalSignIn(terminal: terminal).showDeviceCode(prompt)
    await terminal.flush()
    let line = try #require(errors.text.split(separator: "\n").first { $0.hasPrefix("and enter") })
    #expect(["BC", "DF", "GH", "JK"].allSatisfy(line.contains), "\(line)")
    let special = CharacterSet.controlCharacters.union(["\u{202E}", "\u{2028}"])
    #expect(line.unicodeScalars.allSatisfy { !special.contains($0) }, "\(line)")
  }

  @Test("the address and the code are shown at a terminal of any width", arguments: [20, 200])
  func width(columns: Int) async throws {
    let url = try #require(URL(string: "https://example.com/device"))
    let prompt = DeviceCodePrompt(
      userCode: "BCDF-GHJK", verificationURL: url, completeURL: nil, expiresAt: Date())
    let errors = TextRecorder(true, columns: columns)
    let terminal = Terminal(output: TextRecorder(), error: errors, thread: OutputThread())
    try await TerminalSignIn(terminal: terminal).showDeviceCode(prompt)
    await terminal.flush()
    let lines = errors.text.split(separator: "\n")
    #expect(lines.contains { $0.contains(url.absoluteString) })
    #expect(lines.contains { $0.contains("BCDF-GHJK") })
  }
}
