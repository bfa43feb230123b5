import Logging
import Networking
import SystemSupport

/// Everything that a renewal needs in addition to the stored login.
struct RenewalEnvironment: Sendable {
  /// Finds the token endpoint, which may need the network; called only for an exchange.
  let endpoint: @Sendable () async throws -> TokenEndpoint
  let admission: ExchangeAdmission
  /// The longest time for a request of which nothing is written.
  let requestLimit: Duration
  /// The longest time for an exchange, after which its request has ended.
  let exchangeLimit: Duration
  let time: TimeSource
  let log: Logger
  /// Returns false once the account was signed in or out since the renewal began.
  let isStillSignedIn: @Sendable () async -> Bool

  /// Revokes a pair that is no longer wanted.
  func revoke(_ credential: Credential) async {
    guard let endpoint = try? await endpoint() else { return }
    _ = await endpoint.revoke(credential)
  }

  /// Stores an outcome that holds even if it cannot be stored; a failure is logged.
  func record(_ store: LoginStore, _ change: (LoginStore) async throws -> Void) async {
    do {
      try await change(store)
    } catch {
      log.warning(
        "cannot store the outcome of a renewal",
        metadata: ["account": "\(store.account.name)", "error": "\(error)"])
    }
  }
}
