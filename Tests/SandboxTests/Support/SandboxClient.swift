import Foundation
import HTTPTypes
import Networking
import TestSupport

/// An HTTP client that sends each request once and returns each answer as it is.
struct SandboxClient: Sendable {
  private let session: Session

  init() {
    var configuration = SessionConfiguration()
    configuration.timeout.request = Patience.limit
    configuration.timeout.idle = Patience.limit
    configuration.concurrency = 32
    configuration.retry.attempts = 1
    configuration.redirects = .none
    configuration.proxy = .none
    session = Session(name: "sandbox-tests", configuration: configuration)
  }

  func send(
    _ method: HTTPRequest.Method, _ text: String, headers: [String: String] = [:],
    body: String? = nil
  ) async throws -> Response {
    guard let url = URL(string: text) else { throw URLError(.badURL) }
    var request = try Request(method: method, url: url, body: body.map { .bytes(Array($0.utf8)) })
    for (name, value) in headers { try request.setField(name, to: value) }
    return try await session.send(request)
  }
}

extension Response {
  var status: Int { head.status.code }
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The first value of a header field, whatever the case of its name.
  subscript(header name: String) -> String? {
    HTTPField.Name(name).flatMap { head.headerFields[values: $0].first }
  }
}

/// Reads the end of a connection: reset (TCP RST), or closed before the whole answer was there.
func isLost(_ error: any Error, byReset wasReset: Bool) -> Bool {
  guard case SessionError.connectionLost(_, let underlying) = error else { return false }
  return "\(underlying)".contains("reset by peer") == wasReset
}
