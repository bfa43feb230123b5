import HTTPTypes
import Hummingbird

/// Counts every request and its outcome.
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
      // Counted here instead of at the endpoint, so that requests with a fault count too.
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

  /// Returns the path with a placeholder for the identifier of a single invoice.
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
