public import Foundation
import Networking

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

  /// What the last renewal or sign-in came to, as far as the store tells.
  public enum Outcome: Sendable, Hashable {
    /// New tokens were obtained.
    case obtained(at: Date)
    /// A renewal was begun and its end is not known: it is under way, or was interrupted.
    case unfinished(since: Date)
    /// The server refused so many times and did not say why.
    case refused(times: Int, lastAt: Date)
    /// The login ended.
    case ended(AuthenticationError.SignInReason, at: Date)
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
  /// How far the server's clock was ahead of this machine's, in seconds, where it told.
  public let clockSkew: TimeInterval?
  /// What the last renewal came to.
  public let lastOutcome: Outcome?
  /// The process that holds the account's lock at this moment.
  public var lockHolder: Int32?

  init(signedOut account: String) {
    self.account = account
    state = .signedOut
    expiresAt = nil
    obtainedAt = nil
    scopes = []
    generation = nil
    clockSkew = nil
    lastOutcome = nil
  }

  init(account: String, record: CredentialRecord, now: Date) {
    self.account = account
    generation = record.generation.rawValue
    switch record.content {
    case .active(let credential):
      state = credential.isUsable(at: now) ? .valid : .expired
      expiresAt = credential.expiresAt
      obtainedAt = credential.obtainedAt
      scopes = credential.scopes
      clockSkew = credential.clockSkew
      lastOutcome =
        if let refusals = record.refusals {
          .refused(times: refusals.count, lastAt: refusals.lastAt)
        } else if let pendingExchange = record.pendingExchange {
          .unfinished(since: pendingExchange.startedAt)
        } else {
          .obtained(at: credential.obtainedAt)
        }
    case .ended(_, let date, let reason):
      state = .rejected
      expiresAt = nil
      obtainedAt = nil
      scopes = []
      clockSkew = nil
      lastOutcome = .ended(reason, at: date)
    }
  }
}

/// What became of a sign-out; the login is gone from this machine in any case.
public struct SignOutReport: Sendable {
  /// Whether there was a login to remove.
  public let wasSignedIn: Bool
  /// Whether the server confirmed that the tokens are void (RFC 7009); where not, they stay valid
  /// there until they end by themselves.
  public let isRevoked: Bool
}
