package import Foundation
package import SecureStore

/// A successful answer of the token endpoint (RFC 6749 section 5.1).
package struct TokenResponse: Sendable {
  /// Absent where it cannot be sent: it is missing, no header value, or not a bearer token.
  package let accessToken: Secret?
  /// Absent where the server does not rotate: then the old one stays valid (section 6).
  package let refreshToken: Secret?
  /// When the access token ends; `nil` where the server does not say.
  package let expiresAt: Date?
  /// What it is good for; `nil` where the server does not say.
  package let scopes: [String]?
  /// How far the server's clock is ahead of ours, in seconds; `nil` where it did not tell.
  let clockSkew: TimeInterval?

  /// Reads the answer, or `nil` where it holds no token.
  ///
  /// It is read member by member: the server has spent what the request held, whatever else it says.
  /// Lenient where servers are known to differ: `expires_in` as text, `expires_at` in its place,
  /// `scope` as a list.
  package init?(body: [UInt8], receivedAt: Date, clockSkew: TimeInterval? = nil) {
    guard let members = JSONMembers(body) else { return nil }
    let clockSkew = clockSkew.flatMap { abs($0) < Self.largestSkew ? $0 : nil }
    // RFC 6749 section 7.1: a token of a type that is not known must not be used.
    let isBearer = members.text("token_type").map { $0.lowercased() == "bearer" } ?? true
    let token = members.text("access_token").map { Secret($0) }
    accessToken = token.flatMap { isBearer && Self.canBeHeaderValue($0) ? $0 : nil }
    refreshToken = members.text("refresh_token").map { Secret($0) }
    guard accessToken != nil || refreshToken != nil else { return nil }
    scopes = members.words("scope")
    self.clockSkew = clockSkew
    // A span is the same on every clock; an instant is meant on the server's.
    let end =
      members.number("expires_in")?.seconds.map { receivedAt.addingTimeInterval($0) }
      ?? members.number("expires_at")?.instant.map { $0.addingTimeInterval(-(clockSkew ?? 0)) }
    expiresAt = accessToken == nil ? receivedAt : end
  }

  /// A server whose clock is off by more, in seconds, tells nothing.
  private static let largestSkew: TimeInterval = 10 * 366 * 86_400

  /// The tokens; an access token that cannot be sent is empty and has ended.
  var tokens: TokenSet {
    TokenSet(
      accessToken: accessToken ?? Secret(""), refreshToken: refreshToken, expiresAt: expiresAt,
      scopes: scopes ?? [])
  }

  /// RFC 6750 section 2.1: a bearer token is visible ASCII; anything else would not survive, or
  /// would split, a header.
  static func canBeHeaderValue(_ token: Secret) -> Bool {
    let bytes = token.exposedBytes
    return !bytes.isEmpty && bytes.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
