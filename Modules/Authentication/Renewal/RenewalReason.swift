import Foundation
import Networking

/// The reason why a caller asks for credentials.
enum RenewalReason: Sendable, Equatable {
  /// A request needs a token that can be sent.
  case tokenNeeded
  /// The token can still be sent, and is due for early renewal.
  case expiringSoon
  /// The API answered 401 to this generation.
  case rejected(CredentialGeneration)

  /// Returns true if a credential needs no renewal for this reason.
  func isSatisfied(by credential: Credential, at now: Date) -> Bool {
    switch self {
    case .tokenNeeded: credential.isUsable(at: now)
    case .expiringSoon: credential.isFresh(at: now)
    case .rejected(let generation):
      credential.generation.rawValue > generation.rawValue && credential.isUsable(at: now)
    }
  }
}

/// The reason of one renewal, and the credential that has expired by this process's own clock.
struct RenewalGoal: Sendable {
  let reason: RenewalReason
  /// A generation whose time is up by uptime, whatever the wall clock shows.
  let expired: CredentialGeneration?

  /// Returns true if a credential needs no renewal.
  func isMet(by credential: Credential, at now: Date) -> Bool {
    credential.generation != expired && reason.isSatisfied(by: credential, at: now)
  }
}
