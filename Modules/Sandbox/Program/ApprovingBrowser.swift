import Foundation
import HTTPTypes
import Networking

/// A stand-in for the user's browser: it opens an authorization URL, approves, and follows the
/// redirects.
package struct ApprovingBrowser: Sendable {
  /// The reason why a sign-in was not approved.
  package enum Failure: Error, Equatable {
    /// An address is not `http://` on this machine; nothing was sent to it.
    case notLoopback
    /// The status is not 2xx, or the page has nothing to approve.
    case refused(status: Int)
    /// The redirects do not end.
    case tooManyRedirects
  }

  private let session: Session

  /// Creates a browser that waits at most `timeout` for each response.
  package init(timeout: Duration = .seconds(30)) {
    var configuration = SessionConfiguration()
    configuration.timeout.request = timeout
    configuration.retry.attempts = 1
    configuration.redirects = .none
    configuration.proxy = .none
    session = Session(name: "browser", configuration: configuration)
  }

  /// Opens the URL and continues until the callback has returned 2xx.
  ///
  /// - Throws: ``Failure``; `SessionError`.
  package func approve(_ url: String) async throws {
    var url = url
    var wasRedirected = false
    var answer = try await send(.get, url)
    for _ in 0..<10 {
      let status = answer.head.status.code
      switch status {
      case 301, 302, 303, 307, 308:
        guard let location = answer.head.headerFields[.location],
          let next = Self.resolve(location, at: url)
        else { throw Failure.refused(status: status) }
        url = next
        wasRedirected = true
        answer = try await send(.get, url)
      case 200..<300:
        if let handle = Self.handle(in: String(decoding: answer.body, as: UTF8.self)) {
          answer = try await press(handle, at: url)
        } else if wasRedirected {
          return
        } else {
          throw Failure.refused(status: status)
        }
      default:
        throw Failure.refused(status: status)
      }
    }
    throw Failure.tooManyRedirects
  }

  private func press(_ handle: String, at url: String) async throws -> Networking.Response {
    guard let action = Self.resolve("/connect/authorize", at: url) else {
      throw Failure.notLoopback
    }
    let form = [(name: ApprovalPage.handleField, value: handle), ("decision", "approve")]
    return try await send(.post, action, body: Array(FormEncoding.encode(form).utf8))
  }

  private func send(
    _ method: HTTPRequest.Method, _ text: String, body: [UInt8]? = nil
  ) async throws -> Networking.Response {
    guard let url = Self.loopback(text) else { throw Failure.notLoopback }
    var request = try Networking.Request(method: method, url: url, body: body.map { .bytes($0) })
    if body != nil { request.fields[.contentType] = "application/x-www-form-urlencoded" }
    return try await session.send(request)
  }

  private static func loopback(_ text: String) -> URL? {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let url = URL(string: text),
      url.user == nil, url.password == nil, url.port.map({ UInt16(exactly: $0) != nil }) ?? true,
      let origin = Origin(url), origin.scheme == "http",
      ["127.0.0.1", "[::1]", "localhost"].contains(origin.host)
    else { return nil }
    return url
  }

  private static func handle(in page: String) -> String? {
    let field = "name=\"\(ApprovalPage.handleField)\" value=\""
    guard let start = page.range(of: field)?.upperBound else { return nil }
    return String(page[start...].prefix { $0 != "\"" })
  }

  private static func resolve(_ location: String, at base: String) -> String? {
    URL(string: location, relativeTo: URL(string: base))?.absoluteString
  }
}

extension ApprovingBrowser.Failure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notLoopback: "only http:// addresses on 127.0.0.1, [::1] or localhost are opened"
    case .refused(let status): "not approved: the answer was \(status)"
    case .tooManyRedirects: "not approved: the redirects do not end"
    }
  }
}
