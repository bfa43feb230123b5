import Metrics
import Networking
import SystemSupport

/// What is counted and timed, through swift-metrics; a front end's backend decides what becomes of
/// it.
///
/// `appcore_auth_uses_total`: requests that found a valid token.
/// `appcore_auth_renewals_total`, with `outcome` `refreshed`, `found`, `unsaved`, `transient` or
/// `terminal`; `appcore_auth_renewal_duration`; `appcore_auth_wait_duration`, for requests that had
/// to wait. All have `account`.
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
    _ result: Result<CredentialRenewal.Outcome, any Error>, in duration: Duration, account: String
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
