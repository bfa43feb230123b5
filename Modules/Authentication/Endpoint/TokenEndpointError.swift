package import Foundation

/// How the token endpoint refused, by what it means for the login.
package enum TokenEndpointError: Error, Sendable, Equatable {
  /// The server says that this grant is over: `invalid_grant` in the body, nothing less.
  case grantEnded
  /// The server refuses the client or the request, not the grant: the login is kept.
  case refused(code: String)
  /// Anything else: an outage, a proxy, a captive portal. The login is kept.
  case unavailable(status: Int, retryAt: Date?)

  /// Decides from an answer; the body decides, not the status, since proxies answer 400 too.
  init(status: Int, body: [UInt8], retryAt: Date?) {
    struct Wire: Decodable { let error: String }
    guard (400..<500).contains(status), status != 429,
      let wire = try? JSONDecoder().decode(Wire.self, from: Data(body))
    else {
      self = .unavailable(status: status, retryAt: retryAt)
      return
    }
    switch wire.error {
    case "invalid_grant":
      self = .grantEnded
    // The codes of RFC 6749 4.1.2.1 and 5.2 and RFC 8707 that another attempt cannot change.
    case "invalid_client", "invalid_request", "invalid_scope", "invalid_target",
      "unauthorized_client", "unsupported_grant_type", "access_denied":
      self = .refused(code: wire.error)
    default:
      self = .unavailable(status: status, retryAt: retryAt)
    }
  }
}
