import SystemSupport

extension SessionConfiguration {
  /// The limits on retries.
  public struct RetryPolicy: Sendable, Equatable {
    /// The largest number of times that a request is sent, including the first.
    public var attempts = 4
    /// The longest single wait; if the server asks for more, the session returns its response
    /// immediately.
    public var maxWait = Duration.seconds(60)
    /// The longest total of all waits of one operation.
    public var totalWait = Duration.seconds(180)
    /// The upper bound of the first wait; it doubles each time.
    public var baseDelay = Duration.milliseconds(500)

    /// Returns the wait after a number of attempts.
    ///
    /// With full jitter, it is a random time between zero and a bound that doubles, so that clients
    /// do not retry at the same time.
    func backoff(after attempts: Int, _ clock: TimeSource) -> Duration {
      min(baseDelay * (1 << min(attempts - 1, 16)), maxWait) * clock.random()
    }
  }
}
