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
}
