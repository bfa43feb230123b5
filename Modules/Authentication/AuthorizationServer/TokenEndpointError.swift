package import Foundation

/// A refusal of the token endpoint, by its meaning for the login.
package enum TokenEndpointError: Error, Sendable, Equatable {
  /// The grant has ended: the body contains `invalid_grant`.
  case grantEnded
  /// The server refuses the client or the request, not the grant: the login is kept.
  case refused(code: String)
  /// The server refuses without a reason: some servers answer a spent token without a body.
  case unexplained(status: Int)
  /// The user has not approved the device yet (RFC 8628 section 3.5).
  case authorizationPending
  /// The user has not approved the device yet, and the client polls too often.
  case slowDown
  /// The device code expired before the user approved.
  case deviceCodeExpired
  /// The server sent tokens without a usable access token: it is missing, is no header value, or is
  /// of another type than bearer. The refresh token is kept.
  case unusableToken
  /// Anything else: an outage, a proxy, a captive portal. The login is kept.
  case unavailable(status: Int, retryAt: Date?)

  /// Creates the error for a response; the body decides, since proxies also answer 400.
  init(status: Int, body: [UInt8], retryAt: Date?) {
    struct Wire: Decodable { let error: String }
    guard (400..<500).contains(status), status != 429 else {
      self = .unavailable(status: status, retryAt: retryAt)
      return
    }
    guard let wire = try? JSONDecoder().decode(Wire.self, from: Data(body)) else {
      let isBare = body.isEmpty && [400, 401, 403].contains(status)
      self = isBare ? .unexplained(status: status) : .unavailable(status: status, retryAt: retryAt)
      return
    }
    switch wire.error {
    case "invalid_grant": self = .grantEnded
    case "authorization_pending": self = .authorizationPending
    case "slow_down": self = .slowDown
    case "expired_token": self = .deviceCodeExpired
    case "server_error", "temporarily_unavailable":
      self = .unavailable(status: status, retryAt: retryAt)
    // Every other code is about the client or the request: those of RFC 6749 section 5.2 and RFC
    // 8707, and a server's own.
    default: self = .refused(code: Self.printable(wire.error))
    }
  }

  /// Removes characters that RFC 6749 does not allow in a code, since codes are shown to the user.
  static func printable(_ code: String) -> String {
    String(
      code.unicodeScalars.filter { (0x21...0x7E).contains($0.value) }.prefix(64).map(Character.init)
    )
  }

  /// True if the response proves that the request spent no token.
  ///
  /// Two responses do: a refusal by the authorization server itself, with one of OAuth's codes; and
  /// 429 (RFC 6585 section 4), since a server or proxy applies limits before it acts on a request.
  /// A proxy's 502, 503 or 504 can come after the server has acted, and any other error proves
  /// nothing.
  var isDefinite: Bool {
    switch self {
    case .refused(let code): Self.refusals.contains(code)
    case .unavailable(let status, _): status == 429
    default: false
    }
  }

  /// The codes of RFC 6749 section 5.2 and RFC 8707 section 2, without `invalid_grant`.
  private static let refusals: Set = [
    "invalid_request", "invalid_client", "unauthorized_client", "unsupported_grant_type",
    "invalid_scope", "invalid_target",
  ]
}

extension TokenEndpointError: CustomStringConvertible {
  /// A sentence for the user; it quotes at most a code.
  package var description: String {
    switch self {
    case .grantEnded: "the authorization server no longer accepts the login"
    case .refused(let code): "the authorization server answered '\(code)'"
    case .unexplained(let status):
      "the authorization server refused without a reason (status \(status))"
    case .authorizationPending, .slowDown: "the user has not approved yet"
    case .deviceCodeExpired: "the code has expired"
    case .unusableToken: "the authorization server sent no usable access token"
    case .unavailable(200..<300, _):
      "the response does not come from the authorization server; a captive portal or proxy?"
    case .unavailable(let status, _): "the authorization server failed (status \(status))"
    }
  }
}
