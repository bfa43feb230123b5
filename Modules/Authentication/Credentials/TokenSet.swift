public import Foundation
public import SecureStore

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
