public import Foundation
import Metrics
import Networking
import Synchronization
import SystemSupport

/// A change of an account's login, in this process or in another; it contains no token.
public struct CredentialChange: Sendable, Hashable {
  /// The kind of a change.
  public enum Kind: Sendable, Hashable {
    /// The account was signed in.
    case signedIn
    /// Newer tokens were stored or found.
    case renewed
    /// The account was signed out.
    case signedOut
    /// The login ended for this reason.
    case ended(AuthenticationError.SignInReason)
  }

  /// The account that the login is named after; others may share it.
  public let account: String
  /// The kind of the change.
  public let kind: Kind
  /// The generation of the current credentials; `nil` without a login.
  public let generation: UInt64?
  /// The expiry of their access token, if it is known.
  public let expiresAt: Date?
}

/// The listeners to changes of logins; their streams end when this object is released.
final class CredentialChangeBroadcast: Sendable {
  private struct State {
    var nextID = 0
    var listeners: [Int: AsyncStream<CredentialChange>.Continuation] = [:]
  }

  private let state = Mutex(State())

  var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

  func stream() -> AsyncStream<CredentialChange> {
    // A slow listener loses old changes, never the newest.
    let (stream, continuation) = AsyncStream.makeStream(
      of: CredentialChange.self, bufferingPolicy: .bufferingNewest(256))
    let id = state.withLock { state in
      state.nextID += 1
      state.listeners[state.nextID] = continuation
      return state.nextID
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
    }
    return stream
  }

  func send(_ change: CredentialChange) {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(change) }
  }

  deinit {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}

/// The counters and timers of this module, through swift-metrics to a front end's backend.
///
/// - `appcore_auth_uses_total`: requests that found a valid token.
/// - `appcore_auth_renewals_total`: renewals, with `outcome` `refreshed`, `found`, `unsaved`,
///   `transient` or `terminal`.
/// - `appcore_auth_renewal_duration`: the time of each renewal.
/// - `appcore_auth_wait_duration`: the wait of each request that found no valid token.
///
/// Each has the dimension `account`.
struct AuthenticationMetrics: Sendable {
  var factory: (any MetricsFactory)?

  private var backend: any MetricsFactory { factory ?? MetricsSystem.factory }

  func used(_ count: Int, account: String) {
    guard count > 0 else { return }
    Counter(
      label: "appcore_auth_uses_total", dimensions: [("account", account)], factory: backend
    ).increment(by: Int64(count))
  }

  func waited(_ duration: Duration, account: String) {
    Metrics.Timer(
      label: "appcore_auth_wait_duration", dimensions: [("account", account)], factory: backend
    ).recordNanoseconds(duration.nanoseconds)
  }

  func renewed(
    _ result: Result<RenewalOutcome, any Error>, in duration: Duration, account: String
  ) {
    let outcome =
      switch result {
      case .success(let outcome) where outcome.unsaved != nil: "unsaved"
      case .success(let outcome): outcome.isNew ? "refreshed" : "found"
      case .failure(AuthenticationError.signInRequired): "terminal"
      case .failure: "transient"
      }
    Counter(
      label: "appcore_auth_renewals_total",
      dimensions: [("account", account), ("outcome", outcome)], factory: backend
    ).increment()
    Metrics.Timer(
      label: "appcore_auth_renewal_duration", dimensions: [("account", account)], factory: backend
    ).recordNanoseconds(duration.nanoseconds)
  }
}
