import Authentication
import Foundation

/// Shows the authorization page: the address always, the browser where there is one.
struct BrowserSignIn: AuthenticationDelegate {
  let terminal: Terminal
  let opensBrowser: Bool

  func showAuthorizationPage(_ url: URL) async throws {
    // Not silenced by --quiet: without it a person cannot go on.
    Terminal.write("To sign in, visit:\n\(url.absoluteString)", to: .standardError)
    guard opensBrowser, let opener = Self.find("xdg-open") else { return }
    let process = Process()
    process.executableURL = URL(filePath: opener)
    process.arguments = [url.absoluteString]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      terminal.note("The browser could not be opened; visit the address above.")
    }
  }

  private static func find(_ program: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
