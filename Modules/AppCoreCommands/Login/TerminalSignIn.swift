import Authentication
import Foundation
import SystemSupport

/// A delegate that shows the user at a terminal how to sign in.
///
/// It always prints the address and opens a browser if there is one. For a device code, it prints
/// the address and the code to enter there.
struct TerminalSignIn: AuthenticationDelegate {
  let terminal: Terminal
  /// The program that opens an address, with its first arguments; `nil` if none is to be started.
  var opener: Opener?
  /// True if the user wanted a browser, so that its absence is worth a message.
  var wantsBrowser = false
  /// The time that the user has, for the message.
  var timeout = Duration.seconds(300)
  /// The connection over which the user works, if it is SSH.
  var remote: RemoteSession?
  /// The line on the terminal while the server is waited for, if there is one.
  var ticker: ProgressTicker?
  /// The page elsewhere on which the browser ends; `nil` if this program receives the redirect.
  var redirectPage: String?
  /// Asks for the address on which the browser ended; `nil` if there is no terminal to ask at.
  ///
  /// While a browser of this machine may still send the redirect here, it is not asked for.
  var asksForAddress: (@Sendable (_ question: String) async throws -> String?)?

  /// The news that no browser opens.
  private let isWithoutBrowser = SharedOutcome<Void>()

  func showAuthorizationPage(_ url: URL) async throws {
    if let opener, opener.isStandIn {
      terminal.note("The server on this machine approves the sign-in itself.")
      return open(url, with: opener)
    }
    // --quiet does not suppress this: without it, the user cannot continue.
    terminal.post("To sign in, visit:\n\(url.absoluteString)")
    switch SignInRedirect(authorizationPage: url) {
    case .loopback(let port)?:
      if let remote { terminal.post(remote.instructions(port: port)) }
    case .page(let page)?:
      terminal.post(
        "The browser ends on \(page.host() ?? "another page"). Copy the whole address of that page "
          + "from the browser, and paste it here.")
    case nil: break
    }
    guard let opener else {
      let missing = wantsBrowser ? "No browser can be opened here; visit the address above. " : ""
      return terminal.note(missing + "Waiting" + waiting)
    }
    terminal.note("Opening your browser; waiting" + waiting)
    open(url, with: opener)
  }

  private func open(_ url: URL, with opener: Opener) {
    DetachedProgram.start(opener.program, opener.arguments + [url.absoluteString]) {
      [terminal, isWithoutBrowser] in
      terminal.note("The browser could not be opened; visit the address above.")
      isWithoutBrowser.resolve(.success(()))
    }
  }

  func readPastedRedirects(_ accept: @Sendable (String) -> PastedRedirect) async {
    guard let asksForAddress else { return }
    if opener != nil, redirectPage == nil {
      guard (try? await isWithoutBrowser.value()) != nil else { return }
    }
    while !Task.isCancelled {
      await terminal.flush()
      let question =
        (redirectPage == nil ? "Or paste" : "Paste") + " the address that the browser ended on: "
      guard let text = try? await asksForAddress(question) else { return }
      switch accept(text) {
      case .accepted: return
      case .notRedirect:
        terminal.post(
          "This is not the address the browser ended on; it "
            + (redirectPage == nil
              ? "begins with http://127.0.0.1 or http://localhost." : "has code= and state= in it.")
        )
      case .foreign:
        terminal.post(
          "This address belongs to another sign-in, or its end is missing. Copy the whole address.")
      }
    }
  }

  func showDeviceCode(_ prompt: DeviceCodePrompt) async throws {
    terminal.post(
      """
      To sign in, visit on any device:
      \(prompt.verificationURL.absoluteString)
      and enter the code: \(printable(prompt.userCode))
      """)
  }

  func showSignOutPage(_ url: URL) async throws {
    ticker?.erase()
    terminal.note("To sign out of the server as well, visit:\n\(url.absoluteString)")
  }

  private var waiting: String {
    let seconds = max(1, Int(clamping: timeout / .seconds(1), rounding: .down))
    let time = seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s"
    return " up to \(time) (Ctrl-C cancels)…"
  }
}

/// A program that opens an address for the user.
struct Opener: Sendable {
  let program: String
  var arguments: [String] = []
  /// True if the program approves by itself, as for a sandbox.
  var isStandIn = false

  /// Finds the desktop's opener in the folders of a `PATH`.
  static func desktop(searchPath: String?) -> Opener? {
    find("xdg-open", in: searchPath).map { Opener(program: $0) }
  }

  static func find(_ program: String, in searchPath: String?) -> String? {
    (searchPath ?? "").split(separator: ":")
      .map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}

/// A session over SSH, in which the user's browser runs on another machine.
struct RemoteSession: Sendable, Equatable {
  /// The address of this machine, as the user's machine reaches it.
  let host: String
  let user: String?

  /// Reads `SSH_CONNECTION`; returns `nil` if the session is not one over SSH.
  init?(variables: [String: String]) {
    let words = (variables["SSH_CONNECTION"] ?? "").split(separator: " ")
    guard words.count == 4 else { return nil }
    host = String(words[2])
    user = variables["USER"]
  }

  /// Returns the instructions for a sign-in whose redirect goes to a port of this machine.
  func instructions(port: Int) -> String {
    let target = (user.map { $0 + "@" } ?? "") + host
    return """
      You are connected over SSH, and the browser has to reach port \(port) of this machine.
      Run this on your own machine first, then visit the address there:
        \("ssh -L \(port):127.0.0.1:\(port) \(target)".unbroken)
      Or visit the address without it, and paste the address on which the browser ends.
      """
  }
}
