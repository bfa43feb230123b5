import Networking

private enum LimitKey: String, CaseIterable { case requests, interval }

extension ConfigurationNode {
  /// Reads a published limit, or a list of limits that all apply.
  func rateLimits() throws -> [RateLimit] {
    guard let elements else { return [try rateLimit()] }
    guard !elements.isEmpty else { throw error("expected a limit or a list of limits") }
    return try elements.map { try $0.rateLimit() }
  }

  private func rateLimit() throws -> RateLimit {
    var requests: Int?
    var interval: Duration?
    try readKeys(LimitKey.self) { key, value in
      switch key {
      case .requests: requests = try value.integer(in: 1...1_000_000)
      case .interval: interval = try value.duration()
      }
    }
    guard let requests, let interval else { throw error("requests and interval belong together") }
    return RateLimit(requests: requests, interval: interval)
  }
}
