/// So many requests in an interval, as providers publish it.
public struct RateLimit: Sendable, Hashable {
  /// The number of requests.
  public var requests: Int
  /// In which time; any stretch of time that long has no more.
  public var interval: Duration

  /// Creates a limit.
  public init(requests: Int, interval: Duration) {
    self.requests = requests
    self.interval = interval
  }
}
