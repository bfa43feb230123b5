public import Foundation

/// How an account stands, without any secret.
public struct AccountStatus: Sendable {
  /// What can be said of an account's login.
  public enum State: String, Sendable, Codable {
    /// There is no login.
    case signedOut = "signed-out"
    /// The access token can be used.
    case valid
    /// The access token has ended; it will be renewed at the next request.
    case expired
    /// The authorization server has ended the login.
    case rejected
  }

  /// The account's name.
  public let account: String
  /// How it stands.
  public let state: State
  /// When the access token ends, where that is known.
  public let expiresAt: Date?
  /// When the tokens were obtained.
  public let obtainedAt: Date?
  /// What the login may do.
  public let scopes: [String]
  /// The number of the stored credentials; it grows with every renewal.
  public let generation: UInt64?
}

/// What became of a sign-out; the login is gone from this machine in any case.
public struct SignOutReport: Sendable {
  /// Whether there was a login to remove.
  public let wasSignedIn: Bool
  /// Whether the server confirmed that the tokens are void (RFC 7009); where not, they stay valid
  /// there until they end by themselves.
  public let isRevoked: Bool
}
