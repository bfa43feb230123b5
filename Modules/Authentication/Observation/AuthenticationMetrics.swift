import Metrics
import Networking
import SystemSupport

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
