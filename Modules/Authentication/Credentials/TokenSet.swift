public import Foundation
public import SecureStore

/// Tokens that did not come from a token endpoint: pasted, or of a front end's own login.
public struct TokenSet: Sendable {
  /// What is sent with requests (RFC 6750).
  public var accessToken: Secret
  /// What new tokens are obtained with, where there is such a thing.
  public var refreshToken: Secret?
  /// When the access token ends; `nil` where it is not known to end.
  public var expiresAt: Date?
  /// What the tokens may do.
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

  /// Reads what a person pastes: a token alone, or the JSON answer of a token endpoint (RFC 6749
  /// section 5.1); `nil` where it is neither.
  public init?(pasted text: String) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    // No server takes a header that long.
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
