import HTTPTypes
import Instrumentation
import Logging
import Metrics
import SystemSupport
import Tracing

/// The observers of a session: logs, metrics, spans, and the observer of each exchange.
///
/// A link is added only if there is something that observes it, so a metrics or tracing backend has
/// to be installed before the session is created.
struct Observation {
  let session: String
  let observer: (@Sendable (HTTPExchange) -> Void)?
  let log: Logger

  var links: [any Middleware] {
    var links: [any Middleware] = []
    if !(InstrumentationSystem.tracer is NoOpTracer) {
      links.append(TracingMiddleware(session: session))
    }
    if !(MetricsSystem.factory is NOOPMetricsHandler) {
      links.append(MetricsMiddleware(session: session, factory: MetricsSystem.factory))
    }
    if observer != nil || log.logLevel <= .trace {
      links.append(LoggingMiddleware(session: session, observer: observer, logger: log))
    }
    return links
  }
}

/// Reports each finished request on the wire: to the log and to the observer.
struct LoggingMiddleware: Middleware {
  let session: String
  let observer: (@Sendable (HTTPExchange) -> Void)?
  let logger: Logger

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    let begin = next.operation.clock.uptime()
    // Read at the start: an abandoned request can end after the next attempt has begun.
    let attempt = next.attempt
    do {
      let response = try await next.send(request)
      log(
        request, next, begin, attempt, .response(status: response.head.status.code),
        size: response.body.whole?.count, message: message(of: response))
      return response
    } catch {
      let cause = next.operation.cause(of: error, attempt: attempt)
      log(request, next, begin, attempt, .failure(cause), size: nil)
      throw error
    }
  }

  /// Returns the words of a refusal, if anybody reads them.
  private func message(of response: StreamingResponse) -> ProviderMessage? {
    guard response.head.status.code >= 400, observer != nil || logger.logLevel <= .trace,
      let body = response.body.whole
    else { return nil }
    return ProviderMessage(
      body: body, fields: response.head.headerFields, removing: response.sent)
  }

  private func log(
    _ request: Request, _ next: MiddlewareChain, _ begin: Duration, _ attempt: Int,
    _ outcome: HTTPExchange.Outcome, size: Int?, message: ProviderMessage? = nil
  ) {
    let operation = next.operation
    let timings = operation.timings
    var exchange = HTTPExchange(
      session: session, method: request.method.rawValue, url: LoggableURL.text(of: request),
      attempt: attempt, outcome: outcome, bodySize: size,
      waitedForPermit: timings.permit, waitedForCredentials: timings.credentials,
      untilHead: timings.head.flatMap { $0 >= begin ? $0 - begin : nil },
      duration: operation.clock.uptime() - begin)
    exchange.providerMessage = message
    observer?(exchange)
    logger.trace("\(exchange)")
  }
}

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

/// A URL in the form that logs, traces and spans may show.
///
/// Any value in a query can be a token, a name or a search of the user, so only the values of known
/// paging and sorting parameters are shown.
enum LoggableURL {
  static func text(of request: Request) -> String {
    if request.isLink { return "\(request.origin)/…" }
    let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].split(separator: "/", omittingEmptySubsequences: false)
      .map { $0.prefix { $0 != ";" } }.joined(separator: "/")
    let text = "\(request.origin)\(path)"
    guard parts.count == 2 else { return text }
    return text + "?" + parts[1].split(separator: "&").map(shown).joined(separator: "&")
  }

  private static func shown(_ field: Substring) -> String {
    let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = pair[0]
    guard harmless.contains(name.lowercased()) else {
      // A field without a value, or with an empty one, can be a token itself.
      return pair.count == 2 && !pair[1].isEmpty && isName(name) ? "\(name)=…" : "…"
    }
    guard pair.count == 2 else { return String(name) }
    return isPlain(pair[1]) ? String(field) : "\(name)=…"
  }

  private static func isName(_ text: Substring) -> Bool {
    text.count <= 32 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "_" || $0 == "-") }
  }

  private static func isPlain(_ text: Substring) -> Bool {
    text.count <= 40
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_.,-+".contains($0)) }
  }

  private static let harmless: Set<String> = [
    "page", "pagesize", "page_size", "per_page", "limit", "offset", "order", "sort", "unitdp",
  ]
}
