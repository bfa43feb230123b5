/// Bounds one attempt in time, as a whole; and a stream between two pieces of the response, which
/// the transport does for all others.
struct AttemptMiddleware: Middleware {
  let timeout: SessionConfiguration.Timeouts
  /// True if all links behind it are ours, and can be ended wherever they wait.
  let isFollowedByOurs: Bool

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    if isFollowedByOurs, request.isExchangedAsAWhole {
      return try await next.operation.runAttempt(
        request: request.timeout ?? timeout.request, origin: request.origin
      ) {
        try await next.send(request)
      }
    }
    if !isFollowedByOurs { request.writeReport?.handedOn() }
    return try await next.operation.runAttempt(
      request: request.timeout ?? timeout.request, idle: request.isCollected ? nil : timeout.idle,
      origin: request.origin
    ) {
      try await next.send(request)
    }
  }
}
