import Authentication
import Foundation

/// A delegate that shows the user at a terminal how to sign in.
///
/// It always prints the address and opens a browser if there is one. For a device code, it also
/// shows a QR code if standard error is a terminal.
struct TerminalSignIn: AuthenticationDelegate {
  let terminal: Terminal
  var opensBrowser = false
  /// The folders to search for the program that opens a browser, in the form of `PATH`.
  var searchPath: String?

  func showAuthorizationPage(_ url: URL) async throws {
    // --quiet does not suppress this: without it, the user cannot continue.
    terminal.console.post("To sign in, visit:\n\(url.absoluteString)")
    guard opensBrowser, let opener = find("xdg-open") else { return }
    DetachedProgram.start(opener, [url.absoluteString]) { [terminal] in
      terminal.note("The browser could not be opened; visit the address above.")
    }
  }

  func showDeviceCode(_ prompt: DeviceCodePrompt) async throws {
    var text = """
      To sign in, visit on any device:
      \(prompt.verificationURL.absoluteString)
      and enter the code: \(printable(prompt.userCode))
      """
    if terminal.isUserAtStandardError {
      let address = (prompt.completeURL ?? prompt.verificationURL).absoluteString
      if let code = QRCode(address) { text += "\n\n" + code.text }
    }
    terminal.console.post(text)
  }

  func showSignOutPage(_ url: URL) async throws {
    terminal.note("To sign out of the server as well, visit:\n\(url.absoluteString)")
  }

  private func find(_ program: String) -> String? {
    (searchPath ?? "").split(separator: ":")
      .map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
