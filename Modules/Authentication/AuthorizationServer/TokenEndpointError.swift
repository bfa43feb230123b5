package import Foundation

/// How the token endpoint refused, by what it means for the login.
package enum TokenEndpointError: Error, Sendable, Equatable {
  /// The server says that this grant is over: `invalid_grant` in the body, nothing less.
  case grantEnded
  /// The server refuses the client or the request, not the grant: the login is kept.
  case refused(code: String)
  /// The server refuses and gives no reason: no body at all, as some answer to a spent token.
  case unexplained(status: Int)
  /// Nobody has approved the device yet (RFC 8628 section 3.5).
  case authorizationPending
  /// As above, and the server is asked too often.
  case slowDown
  /// The device code has ended before anybody approved.
  case deviceCodeExpired
  /// The server has granted tokens, and the access token cannot be used: it is missing, cannot stand in a
  /// header, or is of another type than bearer. The refresh token is kept.
  case unusableToken
  /// Anything else: an outage, a proxy, a captive portal. The login is kept.
  case unavailable(status: Int, retryAt: Date?)

  /// Decides from an answer; the body decides, not the status, since proxies answer 400 too.
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
    // Everything else is about the client or the request: the codes of RFC 6749 5.2 and RFC 8707,
    // and whatever a server has made up.
    default: self = .refused(code: Self.printable(wire.error))
    }
  }

  /// A code is shown to people, so only what RFC 6749 allows in one is let through.
  static func printable(_ code: String) -> String {
    String(
      code.unicodeScalars.filter { (0x21...0x7E).contains($0.value) }.prefix(64).map(Character.init)
    )
  }

  /// Whether the answer proves that what the request would have spent is unspent.
  ///
  /// The authorization server itself has turned the request down, in OAuth's words; or the request was
  /// one too many and was not taken up (429, RFC 6585 section 4): limits are applied before a request is
  /// acted on, by a server as by a proxy before it. A proxy's 502, 503 or 504 can follow the act, and an
  /// error of anybody's own making says nothing.
  var isDefinite: Bool {
    switch self {
    case .refused(let code): Self.refusals.contains(code)
    case .unavailable(let status, _): status == 429
    default: false
    }
  }

  /// RFC 6749 section 5.2, RFC 8707 section 2; `invalid_grant` is a case of its own.
  private static let refusals: Set = [
    "invalid_request", "invalid_client", "unauthorized_client", "unsupported_grant_type",
    "invalid_scope", "invalid_target",
  ]
}

extension TokenEndpointError: CustomStringConvertible {
  /// A sentence for people; it quotes at most a code.
  package var description: String {
    switch self {
    case .grantEnded: "the authorization server does not accept the login any more"
    case .refused(let code): "the authorization server answers '\(code)'"
    case .unexplained(let status):
      "the authorization server refuses without a reason (status \(status))"
    case .authorizationPending, .slowDown: "nobody has approved yet"
    case .deviceCodeExpired: "the code has expired"
    case .unusableToken: "the authorization server sent no access token that can be used"
    case .unavailable(200, _): "what answers is not the authorization server"
    case .unavailable(let status, _): "the authorization server fails (status \(status))"
    }
  }
}
