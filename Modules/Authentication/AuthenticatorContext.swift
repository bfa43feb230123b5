import Logging
import Networking
import Synchronization
import SystemSupport

/// The parts that all accounts of one authenticator share.
struct AuthenticatorContext: Sendable {
  /// Prevents a second authenticator for the store while a renewal still uses it.
  let claim: StoreClaim
  let session: Session
  let time: TimeSource
  let log: Logger
  let metrics: AuthenticationMetrics
  let changes = CredentialChangeBroadcast()
  let admission = ExchangeAdmission()
  let tokenRequests = TokenRequestCounter()
}

/// The number of token requests that this process has sent.
final class TokenRequestCounter: Sendable {
  private let state = Mutex(0)

  var count: Int { state.withLock { $0 } }

  func increment() { state.withLock { $0 += 1 } }
}
