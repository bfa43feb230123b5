import SystemSupport

extension SessionConfiguration {
  /// The limits on sending a request again.
  public struct RetryPolicy: Sendable, Equatable {
    /// The greatest number of times that a request is sent, the first included.
    public var attempts = 4
    /// The longest single wait; if the server asks for more, its response is returned immediately.
    public var maxWait = Duration.seconds(60)
    /// The longest time that all waits of one operation take together.
    public var totalWait = Duration.seconds(180)
    /// The upper end of the first wait; it doubles each time.
    public var baseDelay = Duration.milliseconds(500)

    /// Returns the wait after a number of attempts.
    ///
    /// With full jitter: anything from nothing to a bound that doubles, so that clients do not
    /// return together.
    func backoff(after attempts: Int, _ clock: TimeSource) -> Duration {
      min(baseDelay * (1 << min(attempts - 1, 16)), maxWait) * clock.random()
    }
  }
}
