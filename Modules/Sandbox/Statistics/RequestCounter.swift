import Synchronization

/// Counts requests and responses.
final class RequestCounter: Sendable {
  struct Counts: Sendable {
    var tokenRequests: [String: Int]
    var requests: [String: [String: Int]] = [:]
    var faultsApplied = 0
  }

  private let state = Mutex(
    Counts(
      tokenRequests: Dictionary(uniqueKeysWithValues: GrantType.allCases.map { ($0.rawValue, 0) })))

  var counts: Counts { state.withLock { $0 } }

  func tokenRequest(grantType: String?) {
    let name = grantType.flatMap(GrantType.init)?.rawValue ?? "other"
    state.withLock { $0.tokenRequests[name, default: 0] += 1 }
  }

  func answer(_ outcome: String, to endpoint: String) {
    state.withLock { $0.requests[endpoint, default: [:]][outcome, default: 0] += 1 }
  }

  func faultApplied() {
    state.withLock { $0.faultsApplied += 1 }
  }
}
