/// A number of requests in an interval, as providers publish it.
public struct RateLimit: Sendable, Hashable {
  /// The number of requests.
  public var requests: Int
  /// The interval; no period of this length has more requests.
  public var interval: Duration

  /// Creates a limit.
  public init(requests: Int, interval: Duration) {
    self.requests = requests
    self.interval = interval
  }
}
