import HTTPTypes
import Metrics
import SystemSupport

/// Counts and times each request on the wire, through swift-metrics.
///
/// `appcore_http_requests_total` and `appcore_http_request_duration` have the labels `session`,
/// `method` and `outcome`: `2xx` to `5xx`, or `failed`, `timed-out`, `cancelled`.
/// `appcore_http_resends_total` counts the requests that are not the first of their operation.
struct MetricsMiddleware: Middleware {
  let session: String
  let factory: any MetricsFactory

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    let clock = next.operation.clock
    let begin = clock.uptime()
    let attempt = next.attempt
    do {
      let response = try await next.send(request)
      record(request, attempt, "\(response.head.status.code / 100)xx", clock.uptime() - begin)
      return response
    } catch {
      let outcome =
        switch next.operation.cause(of: error, attempt: attempt) {
        case is CancellationError, SessionError.cancelled: "cancelled"
        case SessionError.timedOut: "timed-out"
        default: "failed"
        }
      record(request, attempt, outcome, clock.uptime() - begin)
      throw error
    }
  }

  private func record(_ request: Request, _ attempt: Int, _ outcome: String, _ duration: Duration) {
    let dimensions = [
      ("session", session), ("method", request.method.rawValue), ("outcome", outcome),
    ]
    Counter(label: "appcore_http_requests_total", dimensions: dimensions, factory: factory)
      .increment()
    Metrics.Timer(
      label: "appcore_http_request_duration", dimensions: dimensions, factory: factory
    ).recordNanoseconds(duration.nanoseconds)
    guard attempt > 1 else { return }
    Counter(
      label: "appcore_http_resends_total", dimensions: [("session", session)], factory: factory
    ).increment()
  }
}
