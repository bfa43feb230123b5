import HTTPTypes
import Hummingbird

/// Applies the armed faults to requests and responses.
struct FaultMiddleware: RouterMiddleware {
  let state: SandboxState

  func handle(
    _ request: Request, context: SandboxContext,
    next: @concurrent (Request, SandboxContext) async throws -> Response
  ) async throws -> Response {
    guard !request.isControl,
      let fault = state.faults.next(for: request.path, of: request.organisation)
    else {
      return try await next(request, context)
    }
    state.counter.faultApplied()
    if fault.delayMilliseconds > 0 {
      let delay = Duration.milliseconds(fault.delayMilliseconds)
      try await context.pause(for: delay, in: state.connections)
    }
    switch fault.kind {
    case .status:
      return Response(text: fault.body ?? "", status: fault.answerStatus(or: 500))
        .adding(fault.headers)
    case .html:
      return Response(html: fault.body ?? Self.portal, status: fault.answerStatus(or: 200))
        .adding(fault.headers)
    case .delay:
      return try await next(request, context).adding(fault.headers)
    case .truncate:
      return try await next(request, context).adding(fault.headers).truncated()
    case .malformed:
      return try await next(request, context).adding(fault.headers).halved()
    case .replace:
      let answer = try await next(request, context)
      let status = fault.answerStatus(or: answer.status.code)
      return Response(json: Array((fault.body ?? "").utf8), status: status).adding(fault.headers)
    case .reset:
      throw await context.drop(resetting: true)
    case .commitThenDrop:
      _ = try await next(request, context)
      throw await context.drop(resetting: false)
    }
  }

  private static let portal = """
    <!doctype html><html><head><title>Welcome</title></head>
    <body><p>Please accept the terms of this network.</p></body></html>
    """
}

extension Fault {
  fileprivate func answerStatus(or ownStatus: Int) -> HTTPResponse.Status {
    HTTPResponse.Status(code: status ?? ownStatus)
  }
}
