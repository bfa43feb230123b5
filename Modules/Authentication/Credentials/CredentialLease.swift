import Foundation
import HTTPTypes
import Networking
import SecureStore
import Synchronization

/// The valid token of one account, readable from anywhere without entering the actor.
///
/// The header is written while the token is borrowed inside the lock: copying it out would make
/// every caller contend on one reference count.
final class CredentialLease: Sendable {
  private struct Entry {
    let header: String
    let generation: CredentialGeneration
    /// Uptime from which on it is no longer sent; `nil` without a known end.
    let endsAt: Duration?
  }

  private let entry = Mutex<Entry?>(nil)
  private let uptime: @Sendable () -> Duration

  init(time: TimeSource) {
    uptime = time.uptime
  }

  /// Writes the `Authorization` header (RFC 6750 section 2.1); `nil` where there is no valid token.
  func authorize(_ request: inout HTTPRequest) -> CredentialGeneration? {
    let now = uptime()
    return entry.withLock { entry in
      guard let entry, entry.endsAt.map({ now < $0 }) ?? true else { return nil }
      request.headerFields[.authorization] = entry.header
      return entry.generation
    }
  }

  /// The generation that is held, valid or not.
  var generation: CredentialGeneration? { entry.withLock { $0?.generation } }

  func install(_ credential: Credential, now: Date) {
    // The end is kept in uptime: a wall clock that is set back does not lengthen a token's life.
    let endsAt = credential.remaining(at: now).map { uptime() + .seconds($0) }
    let new = Entry(
      header: credential.authorizationHeader, generation: credential.generation, endsAt: endsAt)
    entry.withLock { $0 = new }
  }

  func clear() {
    entry.withLock { $0 = nil }
  }
}

extension Credential {
  /// The value of the `Authorization` header.
  var authorizationHeader: String { "Bearer \(accessToken.exposedText ?? "")" }
}
