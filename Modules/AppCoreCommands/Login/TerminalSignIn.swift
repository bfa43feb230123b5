import Authentication
import Foundation

/// Shows a person at a terminal what to do: the address always, the browser where there is one, and
/// a code to photograph where the terminal is a person's.
struct TerminalSignIn: AuthenticationDelegate {
  let terminal: Terminal
  var opensBrowser = false
  /// The folders that a browser is looked for in, as in `PATH`.
  var searchPath: String?

  func showAuthorizationPage(_ url: URL) async throws {
    // Not silenced by --quiet: without it a person cannot go on.
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
