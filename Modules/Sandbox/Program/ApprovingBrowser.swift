import Foundation

/// Plays the person's browser: opens an authorization URL, approves, and follows the redirects.
package struct ApprovingBrowser: Sendable {
  /// Why a sign-in was not approved.
  package enum Failure: Error, Equatable {
    /// An answer other than 2xx, or a page with nothing to approve.
    case refused(status: Int)
    /// The redirects do not end.
    case tooManyRedirects
  }

  private let client: LoopbackClient

  /// Creates a browser that waits `timeout` for each answer.
  package init(timeout: Duration = .seconds(30)) {
    client = LoopbackClient(timeout: timeout)
  }

  /// Opens the URL and goes on until the callback has answered 2xx.
  ///
  /// - Throws: ``Failure``; ``LoopbackError``, also where an address is not on this machine.
  package func approve(_ url: String) async throws {
    var url = url
    var wasRedirected = false
    var answer = try await client.send("GET", url)
    for _ in 0..<10 {
      switch answer.status {
      case 301, 302, 303, 307, 308:
        guard let location = answer[header: "location"], let next = Self.resolve(location, at: url)
        else { throw Failure.refused(status: answer.status) }
        url = next
        wasRedirected = true
        answer = try await client.send("GET", url)
      case 200..<300:
        if let handle = Self.handle(in: answer.text) {
          answer = try await press(handle, at: url)
        } else if wasRedirected {
          return
        } else {
          throw Failure.refused(status: answer.status)
        }
      default:
        throw Failure.refused(status: answer.status)
      }
    }
    throw Failure.tooManyRedirects
  }

  private func press(_ handle: String, at url: String) async throws -> LoopbackResponse {
    guard let action = Self.resolve("/connect/authorize", at: url) else {
      throw LoopbackError.notLoopback
    }
    return try await client.send(
      "POST", action,
      headers: ["Content-Type": "application/x-www-form-urlencoded"],
      body: "\(ApprovalPage.handleField)=\(FormParameters.encoded(handle))&decision=approve")
  }

  /// The handle that the approval page carries in its form.
  private static func handle(in page: String) -> String? {
    let field = "name=\"\(ApprovalPage.handleField)\" value=\""
    guard let start = page.range(of: field)?.upperBound else { return nil }
    return String(page[start...].prefix { $0 != "\"" })
  }

  private static func resolve(_ location: String, at base: String) -> String? {
    URL(string: location, relativeTo: URL(string: base))?.absoluteString
  }
}
