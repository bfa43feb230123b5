package import SystemSupport

/// The rate limits of an application at a server, for all of its accounts together.
package final class ApplicationLimits: Sendable {
  let limiter: RateLimiter

  /// Creates limits that are not used yet.
  package init(_ limits: [RateLimit], time: TimeSource = .system) {
    limiter = RateLimiter(limits, clock: time)
  }
}
