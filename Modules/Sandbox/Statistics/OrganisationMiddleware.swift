import HTTPTypes
import Hummingbird

/// Counts the requests for each organisation, and answers those above the limits with 429.
struct OrganisationMiddleware: RouterMiddleware {
  let counter: OrganisationCounter

  func handle(
    _ request: Request, context: SandboxContext,
    next: @concurrent (Request, SandboxContext) async throws -> Response
  ) async throws -> Response {
    guard !request.isControl, let organisation = request.organisation else {
      return try await next(request, context)
    }
    do { try counter.begin(organisation) } catch {
      return Response(text: "", status: .tooManyRequests).adding([
        "Retry-After": "\(error.retryAfter)", "X-Rate-Limit-Problem": error.problem,
      ])
    }
    defer { counter.end(organisation) }
    return try await next(request, context)
  }
}
