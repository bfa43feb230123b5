/// Limits the time of one attempt and, for a stream, between two pieces of the response.
///
/// For all other responses, the transport limits the time between two pieces.
struct AttemptMiddleware: Middleware {
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
