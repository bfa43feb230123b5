import Synchronization
package import SystemSupport

/// What a server allows an account, kept by all the sessions that send requests for it.
package final class SharedLimits: Sendable {
  /// The requests that may be under way at once; `nil` is as many as the sessions run.
  let permits: AsyncSemaphore?
  private let counts: (any RequestCounts)?
  private let clock: TimeSource
  private let limiters = Mutex<[[RateLimit]: RateLimiter]>([:])

  /// Creates limits that nobody has used.
  ///
  /// - Parameters:
  ///   - concurrency: how many requests may be under way at once, of all sessions together.
  ///   - counts: what counts requests with other processes.
  package init(
    concurrency: Int? = nil, counts: (any RequestCounts)? = nil,
    time: TimeSource = .system
  ) {
    permits = concurrency.map { AsyncSemaphore(limit: $0) }
    self.counts = counts
    clock = time
  }

  /// What spreads the requests of all sessions that keep to the same limits.
  func limiter(for limits: [RateLimit]) -> RateLimiter {
    limiters.withLock { limiters in
      if let limiter = limiters[limits] { return limiter }
      let limiter = RateLimiter(limits, counts: counts, clock: clock)
      limiters[limits] = limiter
      return limiter
    }
  }
}
