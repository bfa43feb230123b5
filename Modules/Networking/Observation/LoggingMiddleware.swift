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
        size: response.body.whole?.count)
      return response
    } catch {
      let cause = next.operation.cause(of: error, attempt: attempt)
      log(request, next, begin, attempt, .failure(cause), size: nil)
      throw error
    }
  }

  private func log(
    _ request: Request, _ next: MiddlewareChain, _ begin: Duration, _ attempt: Int,
    _ outcome: HTTPExchange.Outcome, size: Int?
  ) {
    let operation = next.operation
    let timings = operation.timings
    let exchange = HTTPExchange(
      session: session, method: request.method.rawValue, url: LoggableURL.text(of: request),
      attempt: attempt, outcome: outcome, bodySize: size,
      waitedForPermit: timings.permit, waitedForCredentials: timings.credentials,
      untilHead: timings.head.flatMap { $0 >= begin ? $0 - begin : nil },
      duration: operation.clock.uptime() - begin)
    observer?(exchange)
    logger.trace("\(exchange)")
  }
}
