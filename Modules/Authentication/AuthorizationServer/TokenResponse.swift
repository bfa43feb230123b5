public import Foundation
public import SecureStore

/// A successful response of the token endpoint (RFC 6749 section 5.1).
package struct TokenResponse: Sendable {
  /// The access token; `nil` if it is missing, no header value, or not a bearer token.
  package let accessToken: Secret?
  /// The new refresh token; `nil` if the server does not rotate, so the old one stays valid
  /// (section 6).
  package let refreshToken: Secret?
  /// The expiry of the access token; `nil` if the server does not name it.
  package let expiresAt: Date?
  /// The scopes of the tokens; `nil` if the server does not name them.
  package let scopes: [String]?
  /// The server's clock minus this machine's, in seconds; `nil` if the server did not send its
  /// time.
  let clockSkew: TimeInterval?

  /// Parses the response; `nil` if it contains no token.
  ///
  /// It parses member by member, because the server has spent the request's token whatever else the
  /// response contains. It accepts known deviations: a form instead of JSON, `expires_in` as text,
  /// `expires_at` instead of it, `scope` as a list, a number as the refresh token.
  package init?(body: [UInt8], receivedAt: Date, clockSkew: TimeInterval? = nil) {
    guard let members = JSONMembers(body) else { return nil }
    let clockSkew = clockSkew.flatMap { abs($0) < Self.largestSkew ? $0 : nil }
    // RFC 6749 section 7.1: a token of an unknown type must not be used.
    let isBearer = members.text("token_type").map { $0.lowercased() == "bearer" } ?? true
    let token = members.text("access_token").map { Secret($0) }
    accessToken = token.flatMap { isBearer && Self.canBeHeaderValue($0) ? $0 : nil }
    refreshToken = members.textOrNumber("refresh_token").map { Secret($0) }
    guard accessToken != nil || refreshToken != nil else { return nil }
    scopes = members.words("scope")
    self.clockSkew = clockSkew
    // A lifetime is the same on every clock; an instant refers to the server's.
    let expiry =
      members.number("expires_in")?.seconds.map { receivedAt.addingTimeInterval($0) }
      ?? members.number("expires_at")?.instant.map { $0.addingTimeInterval(-(clockSkew ?? 0)) }
    // Servers write 0 for a lifetime that has no end or that they do not know. A token that had
    // ended on arrival would be renewed for each request.
    expiresAt = accessToken == nil ? receivedAt : expiry.flatMap { $0 > receivedAt ? $0 : nil }
  }

  /// The limit of a plausible clock difference, in seconds.
  private static let largestSkew: TimeInterval = 10 * 366 * 86_400

  /// The tokens; an access token that cannot be sent is empty and expired.
  var tokens: TokenSet {
    TokenSet(
      accessToken: accessToken ?? Secret(""), refreshToken: refreshToken, expiresAt: expiresAt,
      scopes: scopes ?? [])
  }

  /// Returns true for visible ASCII (RFC 6750 section 2.1); other bytes would be lost in a header
  /// or split it.
  static func canBeHeaderValue(_ token: Secret) -> Bool {
    let bytes = token.exposedBytes
    return !bytes.isEmpty && bytes.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

/// Tokens that did not come from a token endpoint: pasted, or from a front end's own login.
public struct TokenSet: Sendable {
  /// The token that is sent with requests (RFC 6750).
  public var accessToken: Secret
  /// The token with which new tokens are obtained, if there is one.
  public var refreshToken: Secret?
  /// The expiry of the access token; `nil` if it is unknown.
  public var expiresAt: Date?
  /// The scopes of the tokens.
  public var scopes: [String]

  /// Creates a set.
  public init(
    accessToken: Secret, refreshToken: Secret? = nil, expiresAt: Date? = nil, scopes: [String] = []
  ) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.expiresAt = expiresAt
    self.scopes = scopes
  }

  /// True if the access token can be sent (RFC 6750 section 2.1).
  package var canBeSent: Bool { TokenResponse.canBeHeaderValue(accessToken) }

  /// Reads pasted text: a token alone, or the JSON response of a token endpoint (RFC 6749 section
  /// 5.1); `nil` if it is neither.
  public init?(pasted text: String) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    // No server accepts a longer header.
    guard text.utf8.count <= 65_536 else { return nil }
    if text.hasPrefix("{") {
      guard let response = TokenResponse(body: Array(text.utf8), receivedAt: Date()),
        response.accessToken != nil
      else { return nil }
      self = response.tokens
    } else {
      guard TokenResponse.canBeHeaderValue(Secret(text)) else { return nil }
      self.init(accessToken: Secret(text))
    }
  }
}
