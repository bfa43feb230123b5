import HTTPTypes
import Logging
import SystemSupport

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
