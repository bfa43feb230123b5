import Synchronization
package import SystemSupport

/// The limits of an account at its server, shared by all sessions that send requests for it.
package final class SharedLimits: Sendable {
  /// The permits for concurrent requests; `nil` means as many as the sessions allow.
  let permits: SharedPermits?
  private let counts: (any RequestCounts)?
  private let application: ApplicationLimits?
  private let clock: TimeSource
  private let limiters = Mutex<[[RateLimit]: RateLimiter]>([:])

  /// Creates limits that are not used yet.
  ///
  /// - Parameters:
  ///   - concurrency: the number of concurrent requests of all sessions together.
  ///   - counts: counts requests together with other processes.
  ///   - application: the limits of all accounts together.
  ///   - time: the clock.
  package init(
    concurrency: Int? = nil, counts: (any RequestCounts)? = nil,
    application: ApplicationLimits? = nil, time: TimeSource = .system
  ) {
    permits = concurrency.map { SharedPermits(limit: $0) }
    self.counts = counts
    self.application = application
    clock = time
  }

  func limiter(for limits: [RateLimit]) -> RateLimiter {
    limiters.withLock { limiters in
      if let limiter = limiters[limits] { return limiter }
      let limiter = RateLimiter(
        limits, counts: counts, common: application?.limiter, clock: clock)
      limiters[limits] = limiter
      return limiter
    }
  }
}

/// The rate limits of an application at a server, for all of its accounts together.
package final class ApplicationLimits: Sendable {
  let limiter: RateLimiter

  /// Creates limits that are not used yet.
  package init(_ limits: [RateLimit], time: TimeSource = .system) {
    limiter = RateLimiter(limits, clock: time)
  }
}
