import Authentication
import Foundation

/// Shows a person at a terminal what to do: the address always, the browser where there is one, and a
/// code to photograph where the terminal is a person's.
struct TerminalSignIn: AuthenticationDelegate {
  let terminal: Terminal
  let opensBrowser: Bool

  func showAuthorizationPage(_ url: URL) async throws {
    // Not silenced by --quiet: without it a person cannot go on.
    Terminal.tell("To sign in, visit:\n\(url.absoluteString)")
    guard opensBrowser, let opener = Self.find("xdg-open") else { return }
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
    if terminal.isPersonAtStandardError {
      let address = (prompt.completeURL ?? prompt.verificationURL).absoluteString
      if let code = QRCode(address) { text += "\n\n" + code.text }
    }
    Terminal.tell(text)
  }

  func showSignOutPage(_ url: URL) async throws {
    terminal.note("To sign out of the server as well, visit:\n\(url.absoluteString)")
  }

  private static func find(_ program: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
