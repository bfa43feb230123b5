package import Foundation
import HTTPTypes
package import Networking

/// A refusal of the token endpoint, by its meaning for the login.
package enum TokenEndpointError: Error, Sendable, Equatable {
  /// The grant has ended: `invalid_grant`, or a server's own code for it.
  case grantEnded(ServerRefusal)
  /// The server refuses the client or the request, not the grant: the login is kept.
  case refused(ServerRefusal)
  /// The server refuses a renewal with no code that says why: some servers answer a dead token with
  /// codes of their own, with `invalid_request`, or without a body. The login is kept.
  case unexplained(ServerRefusal)
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
  case unavailable(ServerRefusal, retryAt: Date?)

  /// Creates the error for a response; the body decides, since proxies also answer 400 and some
  /// servers 200.
  ///
  /// - Parameter grant: the grant of the request; `nil` for a request for a device code.
  init(_ refusal: ServerRefusal, to grant: TokenGrant?, retryAt: Date?) {
    let unavailable = Self.unavailable(refusal, retryAt: retryAt)
    let status = refusal.status
    guard (200..<300).contains(status) || (400...599).contains(status),
      ![408, 425, 429].contains(status)
    else {
      self = unavailable
      return
    }
    let isRefresh = if case .refreshToken? = grant { true } else { false }
    let isDevice = if case .deviceCode? = grant { true } else { false }
    switch refusal.code {
    case "server_error"?, "temporarily_unavailable"?: self = unavailable
    // A failing server may report anything, so its word alone ends no login.
    case "invalid_grant"? where status >= 500:
      self = isRefresh ? .unexplained(refusal) : unavailable
    // GitHub's word for a dead refresh token, and Zoho's.
    case "invalid_grant"?,
      "bad_refresh_token"? where status < 500:
      self = .grantEnded(refusal)
    case "invalid_code"? where isRefresh && status < 500: self = .grantEnded(refusal)
    case "authorization_pending"? where isDevice: self = .authorizationPending
    case "slow_down"? where isDevice: self = .slowDown
    case "expired_token"? where isDevice: self = .deviceCodeExpired
    case _? where status >= 500: self = unavailable
    case let code? where Self.clientCodes.contains(code): self = .refused(refusal)
    case _? where !isRefresh: self = .refused(refusal)
    case _? where refusal.isOAuth || status < 404: self = .unexplained(refusal)
    case nil where refusal.isBare && [400, 401, 403].contains(status): self = .unexplained(refusal)
    default: self = unavailable
    }
  }

  /// The refusal that the error is about, if the server sent one.
  var refusal: ServerRefusal? {
    switch self {
    case .grantEnded(let refusal), .refused(let refusal), .unexplained(let refusal),
      .unavailable(let refusal, _):
      refusal
    case .authorizationPending, .slowDown, .deviceCodeExpired, .unusableToken: nil
    }
  }

  /// True if the response proves that the request spent no token.
  ///
  /// Two kinds of responses do: a refusal by the authorization server itself, as an OAuth error;
  /// and 429 (RFC 6585 section 4), since a server or proxy applies limits before it acts on a
  /// request. A proxy's 502, 503 or 504 can come after the server has acted, a server can fail
  /// after it has (`server_error`), and any other error proves nothing.
  var isDefinite: Bool {
    switch self {
    case .refused(let refusal), .unexplained(let refusal):
      refusal.isOAuth && refusal.status < 500
    case .unavailable(let refusal, _):
      refusal.status == 429 || refusal.code == "temporarily_unavailable"
    default: false
    }
  }

  /// Returns true if the server refuses the client or its configuration.
  static func isAboutClient(_ refusal: ServerRefusal) -> Bool {
    refusal.code.map(clientCodes.contains) ?? false
  }

  /// The codes of RFC 6749 section 5.2 and RFC 8707 section 2 that are about the client or its
  /// configuration.
  ///
  /// `invalid_request` is not one of them: servers answer a dead refresh token with it.
  private static let clientCodes: Set = [
    "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope",
    "invalid_target",
  ]
}

extension TokenEndpointError: ProviderMessageCarrying {
  /// The server's own words.
  package var providerMessage: ProviderMessage? { refusal?.message }
}

extension TokenEndpointError: CustomStringConvertible {
  /// A sentence for the user; it quotes at most a code.
  package var description: String {
    switch self {
    case .grantEnded: "the authorization server no longer accepts the login"
    case .refused(let refusal):
      "the authorization server answered '\(refusal.code ?? "\(refusal.status)")'"
    case .unexplained(let refusal):
      refusal.code.map { "the authorization server refused with '\($0)'" }
        ?? "the authorization server refused without a reason (status \(refusal.status))"
    case .authorizationPending, .slowDown: "the user has not approved yet"
    case .deviceCodeExpired: "the code has expired"
    case .unusableToken: "the authorization server sent no usable access token"
    case .unavailable(let refusal, _) where refusal.code != nil:
      "the authorization server failed (\(refusal.code ?? ""))"
    case .unavailable(let refusal, _) where (200..<300).contains(refusal.status):
      "the response does not come from the authorization server; a captive portal or proxy?"
    case .unavailable(let refusal, _):
      "the authorization server failed (status \(refusal.status))"
    }
  }
}

/// A refusal as an authorization server wrote it (RFC 6749 section 5.2), whatever its status and
/// its form.
///
/// Servers write the code as the text `error`, as a number, inside an object, or in a form, and
/// some answer with status 200.
package struct ServerRefusal: Sendable, Equatable {
  /// The HTTP status.
  package let status: Int
  /// The code; `nil` if the response has none.
  package let code: String?
  /// The server's own words.
  package let message: ProviderMessage?
  /// True if the code has the form of OAuth's: the response comes from an authorization server, not
  /// from a proxy, whose codes are numbers or sentences.
  package let isOAuth: Bool
  /// True if the body is empty, or JSON without a code.
  let isBare: Bool

  init(_ response: Response) {
    status = response.head.status.code
    message = response.providerMessage
    let members = response.body.isEmpty ? nil : JSONMembers(response.body)
    let found = members?.errorCode
    code = found.map(Self.printable).flatMap { $0.isEmpty ? nil : $0 }
    isOAuth =
      found.map { $0.utf8.contains { $0 >= 0x41 } && $0.utf8.allSatisfy(Self.isOfWord) } ?? false
    isBare = response.body.isEmpty || members != nil && code == nil
  }

  /// Removes characters that RFC 6749 does not allow in a code, since codes are shown to the user.
  static func printable(_ code: String) -> String {
    String(
      code.unicodeScalars.lazy.filter { (0x21...0x7E).contains($0.value) }.prefix(64)
        .map(Character.init))
  }

  static func shown(_ issuer: String) -> String {
    String(
      issuer.unicodeScalars.lazy.filter { (0x21...0x7E).contains($0.value) }.prefix(200)
        .map(Character.init))
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: ":"):
      true
    default: false
    }
  }
}

extension JSONMembers {
  /// The code of an error: the text or the number `error`, or the code inside the object `error`.
  fileprivate var errorCode: String? {
    if let code = textOrNumber("error") { return code }
    guard let inner = object("error") else { return textOrNumber("error_code") }
    return inner.text("code") ?? inner.text("error") ?? inner.text("type") ?? inner.text("status")
      ?? inner.textOrNumber("code")
  }
}
