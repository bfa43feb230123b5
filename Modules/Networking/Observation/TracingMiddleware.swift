import HTTPTypes
import Instrumentation
import Tracing

/// Creates a span for each request on the wire, and sends its context for the server to continue.
///
/// Name and attributes follow OpenTelemetry's conventions for HTTP clients. The span of a streamed
/// response ends at its head.
struct TracingMiddleware: Middleware {
  let session: String

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    let span = startSpan(request.method.rawValue, ofKind: .client)
    defer { span.end() }
    span.attributes["http.request.method"] = request.method.rawValue
    span.attributes["server.address"] = request.origin.host
    span.attributes["server.port"] = request.origin.port
    span.attributes["url.full"] = LoggableURL.text(of: request)
    span.attributes["appcore.session"] = session
    let attempt = next.attempt
    if attempt > 1 { span.attributes["http.request.resend_count"] = attempt - 1 }
    var traced = request
    InstrumentationSystem.instrument.inject(
      span.context, into: &traced.fields, using: FieldInjector())
    do {
      let response = try await next.send(traced)
      let status = response.head.status.code
      span.attributes["http.response.status_code"] = status
      if status >= 400 { span.setStatus(SpanStatus(code: .error)) }
      return response
    } catch {
      let cause = next.operation.cause(of: error, attempt: attempt)
      span.attributes["error.type"] = "\(type(of: cause))"
      span.setStatus(SpanStatus(code: .error, message: "\(cause)"))
      throw error
    }
  }

  private struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
      if let name = HTTPField.Name(key) { fields[name] = value }
    }
  }
}
