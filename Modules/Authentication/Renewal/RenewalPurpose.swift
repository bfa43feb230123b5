import Foundation
import Networking

/// Why credentials are asked for, and so which are good enough.
enum RenewalPurpose: Sendable, Equatable {
  /// A request needs a token that can be sent.
  case use
  /// The token can be sent, and is due for renewal ahead of need.
  case early
  /// The server answered 401 to this generation.
  case rejected(CredentialGeneration)

  /// Whether a credential serves the purpose as it is.
  func accepts(_ credential: Credential, at now: Date) -> Bool {
    switch self {
    case .use: credential.isUsable(at: now)
    case .early: credential.isFresh(at: now)
    case .rejected(let generation):
      credential.generation.rawValue > generation.rawValue && credential.isUsable(at: now)
    }
  }
}

/// A renewal that was begun earlier may or may not have reached the server, and to try again could
/// end a login that still works.
struct RenewalPostponed: Error, CustomStringConvertible {
  var description: String {
    "an earlier renewal was interrupted; it is tried again when the access token has ended"
  }
}
