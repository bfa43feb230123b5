import HTTPTypes
import Hummingbird

/// Counts every request and what became of it.
struct CountingMiddleware: RouterMiddleware {
  let counter: RequestCounter

  func handle(
    _ request: Request, context: SandboxContext,
    next: @concurrent (Request, SandboxContext) async throws -> Response
  ) async throws -> Response {
    guard !request.isControl else { return try await next(request, context) }
    let endpoint = "\(request.method) \(Self.template(of: request.path))"
    var request = request
    if endpoint == "POST \(OAuthRoutes.tokenPath)" {
      // Counted here and not at the endpoint, so that a request which a fault takes counts too.
      _ = try await request.collectBody(upTo: 65_536)
      counter.tokenRequest(grantType: try? await request.formParameters()["grant_type"])
    }
    do {
      let response = try await next(request, context)
      counter.answer(String(response.status.code), to: endpoint)
      return response
    } catch {
      counter.answer(Self.outcome(of: error), to: endpoint)
      throw error
    }
  }

  /// The path with the identifier of a single invoice left open.
  private static func template(of path: String) -> String {
    let parent = XeroRoutes.invoicesPath + "/"
    return path.hasPrefix(parent) && path.count > parent.count ? parent + "{id}" : path
  }

  private static func outcome(of error: any Error) -> String {
    switch error {
    case is SandboxContext.ConnectionDropped, is CancellationError: "dropped"
    case let error as any HTTPResponseError: String(error.status.code)
    default: "500"
    }
  }
}
