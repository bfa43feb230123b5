extension SessionConfiguration.RetryPolicy {
  /// How long to wait after so many attempts: with full jitter, anything from nothing to a bound that
  /// doubles, so that clients do not return together.
  func backoff(after attempts: Int, _ clock: SessionClock) -> Duration {
    min(baseDelay * (1 << min(attempts - 1, 16)), maxWait) * clock.random()
  }
}
