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

  /// Whether the server has looked at the request and turned it down: what it would have spent is
  /// unspent.
  var isDefinite: Bool {
    switch self {
    case .refused: true
    // Both say that the request was not taken up; any other failure may have come after the act.
    case .unavailable(let status, _): status == 429 || status == 503
    default: false
    }
  }
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
    case .unavailable(200, _): "what answers is not the authorization server"
    case .unavailable(let status, _): "the authorization server fails (status \(status))"
    }
  }
}
