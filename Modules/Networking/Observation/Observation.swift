import Logging
import Metrics
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
