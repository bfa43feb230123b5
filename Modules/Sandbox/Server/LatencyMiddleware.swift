import Hummingbird

/// Makes every request wait, as a distant server would.
struct LatencyMiddleware: RouterMiddleware {
  let latency: Duration

  func handle(
    _ request: Request, context: SandboxContext,
    next: @concurrent (Request, SandboxContext) async throws -> Response
  ) async throws -> Response {
    if latency > .zero, !request.isControl { try await Task.sleep(for: latency) }
    return try await next(request, context)
  }
}
