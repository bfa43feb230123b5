public import Foundation
public import Networking

/// The state of an account's login; it holds no secret.
public struct AccountStatus: Sendable {
  /// The state of a login.
  public enum State: String, Sendable, Codable {
    /// There is no login.
    case signedOut = "signed-out"
    /// The access token can be used.
    case valid
    /// The access token has expired; the next request renews it.
    case expired
    /// The authorization server has ended the login.
    case rejected
  }

  /// The outcome of the last renewal or sign-in, as far as the store shows it.
  public enum Outcome: Sendable, Hashable {
    /// New tokens were obtained.
    case obtained(at: Date)
    /// A renewal began and has no known result: it is in progress, or was interrupted.
    case unfinished(since: Date)
    /// The server refused this many times and gave no reason.
    case refused(times: Int, lastAt: Date)
    /// The login ended for this reason.
    case ended(AuthenticationError.SignInReason, at: Date)
  }

  /// The account that the login is named after; others may share it.
  public let account: String
  /// The state of the login.
  public let state: State
  /// The expiry of the access token, if it is known.
  public let expiresAt: Date?
  /// The time at which the tokens were obtained.
  public let obtainedAt: Date?
  /// The scopes of the login.
  public let scopes: [String]
  /// The number of the stored credentials; it grows with every renewal.
  public let generation: UInt64?
  /// The server's clock minus this machine's, in seconds, if the server sent its time.
  public let clockSkew: TimeInterval?
  /// The outcome of the last renewal or sign-in.
  public let lastOutcome: Outcome?
  /// The server's words at its last refusal, if it refused the login.
  public let providerMessage: ProviderMessage?
  /// True if the login can be renewed without the user; a login that cannot ends with its access
  /// token, if ``expiresAt`` is known.
  public internal(set) var isRenewable: Bool
  /// The process that currently holds the account's lock.
  public var lockHolder: Int32?

  /// The end of a login that cannot be renewed: the user has to sign in again then.
  public var endsAt: Date? { isRenewable ? nil : expiresAt }

  init(signedOut account: String) {
    self.account = account
    state = .signedOut
    expiresAt = nil
    obtainedAt = nil
    scopes = []
    generation = nil
    clockSkew = nil
    lastOutcome = nil
    providerMessage = nil
    isRenewable = false
  }

  init(account: String, record: CredentialRecord, now: Date) {
    self.account = account
    generation = record.generation.rawValue
    providerMessage = record.message
    switch record.content {
    case .active(let credential):
      state = credential.isUsable(at: now) ? .valid : .expired
      expiresAt = credential.expiresAt
      obtainedAt = credential.obtainedAt
      scopes = credential.scopes
      clockSkew = credential.clockSkew
      isRenewable = credential.refreshToken != nil || credential.grant == .clientCredentials
      lastOutcome =
        if let refusals = record.refusals {
          .refused(times: refusals.count, lastAt: refusals.lastAt)
        } else if let pending = record.pendingExchange {
          .unfinished(since: pending.startedAt)
        } else {
          .obtained(at: credential.obtainedAt)
        }
    case .ended(_, let date, let reason):
      state = .rejected
      expiresAt = nil
      obtainedAt = nil
      scopes = []
      clockSkew = nil
      isRenewable = false
      lastOutcome = .ended(reason, at: date)
    }
  }
}

/// The result of a sign-out; the login is removed from this machine in any case.
public struct SignOutReport: Sendable {
  /// True if there was a login to remove.
  public let wasSignedIn: Bool
  /// True if the server confirmed that the tokens are revoked (RFC 7009); otherwise they stay valid
  /// until they expire.
  public let isRevoked: Bool
}

/// The stored login of an account, which may have been made with another configuration; it holds no
/// secret.
public struct StoredLogin: Sendable, Equatable {
  /// The authorization server that issued the tokens: its issuer or token endpoint; or the
  /// API's origin, if the login differs from the configured account in that alone.
  public let server: String
  /// The client as which the account signed in; empty for a token that was passed.
  public let clientID: String
  /// False if the configured account has another server, client or API; the login is then not used.
  public let isOwn: Bool
  /// The identifier of the organisation that the user chose.
  public let organisationID: String?
  /// The name of that organisation, if the provider states one.
  public let organisationName: String?
}
