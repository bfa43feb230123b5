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
