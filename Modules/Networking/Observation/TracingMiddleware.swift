import HTTPTypes
import Instrumentation
import Tracing

/// A span for each request on the wire, named and described by OpenTelemetry's conventions for HTTP
/// clients, and the context sent along for the server to continue.
///
/// The span of a streamed response ends at its head.
struct TracingMiddleware: Middleware {
  let session: String

  func send(_ request: Request, next: Next) async throws -> StreamingResponse {
    let span = startSpan(request.method.rawValue, ofKind: .client)
    defer { span.end() }
    span.attributes["http.request.method"] = request.method.rawValue
    span.attributes["server.address"] = request.origin.host
    span.attributes["server.port"] = request.origin.port
    span.attributes["url.full"] = LoggableURL.text(of: request)
    span.attributes["appcore.session"] = session
    if next.attempt > 1 { span.attributes["http.request.resend_count"] = next.attempt - 1 }
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
      span.attributes["error.type"] = "\(type(of: error))"
      span.setStatus(SpanStatus(code: .error, message: "\(error)"))
      throw error
    }
  }

  private struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
      if let name = HTTPField.Name(key) { fields[name] = value }
    }
  }
}
