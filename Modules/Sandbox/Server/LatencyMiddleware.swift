import Hummingbird

/// Delays every request, as a distant server would.
struct LatencyMiddleware: RouterMiddleware {
  let state: SandboxState

  func handle(
    _ request: Request, context: SandboxContext,
    next: @concurrent (Request, SandboxContext) async throws -> Response
  ) async throws -> Response {
    let latency = state.configuration.latency
    if latency > .zero, !request.isControl {
      try await context.pause(for: latency, in: state.connections)
    }
    return try await next(request, context)
  }
}
