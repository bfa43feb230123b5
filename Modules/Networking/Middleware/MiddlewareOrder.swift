import SystemSupport

/// Puts a session's links in the order that ``Middleware`` documents.
struct MiddlewareOrder {
  let name: String
  let configuration: SessionConfiguration
  let authorizer: (any RequestAuthorizer)?
  let observation: Observation
  let permits: AsyncSemaphore
  let sharedLimits: SharedLimits?
  let clients: ClientSet
  let counters: SessionCounters
  let clock: TimeSource

  func links(_ networkMiddleware: [any Middleware]) -> [any Middleware] {
    let hosts = configuration.connections.perHost
      .flatMap { $0 < configuration.concurrency ? HostPermits(limit: $0) : nil }
    let limits = configuration.rateLimits
    let rate =
      limits.isEmpty
      ? nil : sharedLimits?.limiter(for: limits) ?? RateLimiter(limits, clock: clock)
    var links: [any Middleware] = [
      RetryMiddleware(
        policy: configuration.retry, counters: counters, log: observation.log),
      AdmissionMiddleware(
        permits: permits, sharedPermits: sharedLimits?.permits, hosts: hosts, rate: rate,
        log: observation.log),
      AttemptMiddleware(
        timeout: configuration.timeout, isFollowedByOurs: networkMiddleware.isEmpty),
    ]
    if let authorizer { links.append(AuthorizationMiddleware(authorizer: authorizer, rate: rate)) }
    if case .follow(let maximum) = configuration.redirects {
      links.append(RedirectMiddleware(maximum: maximum, rate: rate))
    }
    links += networkMiddleware
    links += observation.links
    links.append(
      TransportMiddleware(
        clients: clients, configuration: configuration, counters: counters, name: name))
    return links
  }
}
