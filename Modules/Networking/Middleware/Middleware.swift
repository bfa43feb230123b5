import SystemSupport

/// A link of the chain that every request of a session goes through.
///
/// A link inspects the request, changes it, passes it on, answers it without passing it on, or
/// passes it on again. It can do the same with the response. Everything that a session does is such
/// a link:
///
/// | order | link | runs |
/// |---|---|---|
/// | 1 | a front end's own, `middleware` | once for each operation |
/// | 2 | `RetryMiddleware` | once for each operation |
/// | 3 | `AdmissionMiddleware`: permit, rate limit, suspension | for each attempt |
/// | 4 | `AttemptMiddleware`: deadline of the request, silence | for each attempt |
/// | 5 | `AuthorizationMiddleware` | for each attempt |
/// | 6 | `RedirectMiddleware` | for each attempt |
/// | 7 | a front end's own, `networkMiddleware` | for each request on the wire |
/// | 8 | `TracingMiddleware`, `MetricsMiddleware`, `LoggingMiddleware` | for each on the wire |
/// | 9 | `TransportMiddleware` | for each request on the wire |
///
/// Waiting between attempts holds no permit. Credentials are added after the wait for a permit, so
/// they are fresh however long that was. The deadline of the operation covers everything.
public protocol Middleware: Sendable {
  /// Handles a request, usually by calling ``MiddlewareChain/send(_:)``.
  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse
}

/// The rest of the chain after a link.
public struct MiddlewareChain: Sendable {
  let links: [any Middleware]
  let index: Int
  let operation: Operation

  /// Passes a request to the next link.
  public func send(_ request: Request) async throws -> StreamingResponse {
    try await links[index].send(
      request, next: MiddlewareChain(links: links, index: index + 1, operation: operation))
  }

  /// The number of this attempt of the operation, from 1.
  public var attempt: Int { operation.attempt }
}

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
        permits: permits, sharedPermits: sharedLimits?.permits,
        isBackground: configuration.isBackground, hosts: hosts, rate: rate, log: observation.log),
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

/// Limits the time of one attempt and, for a stream, between two pieces of the response.
///
/// For all other responses, the transport limits the time between two pieces.
private struct AttemptMiddleware: Middleware {
  let timeout: SessionConfiguration.Timeouts
  /// True if all following links are appcore's own, which can be ended wherever they wait.
  let isFollowedByOurs: Bool

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    if isFollowedByOurs, request.isExchangedAsAWhole {
      return try await next.operation.runAttempt(
        request, limit: request.timeout ?? timeout.request
      ) {
        try await next.send(request)
      }
    }
    if !isFollowedByOurs { request.writeReport?.handedOn() }
    return try await next.operation.runAttempt(
      request, limit: request.timeout ?? timeout.request,
      idle: request.isCollected ? nil : timeout.idle
    ) {
      try await next.send(request)
    }
  }
}
