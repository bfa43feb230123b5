import HTTPTypes
import Networking
import Synchronization

/// A server that answers every request with the same bytes.
final class Echo: Middleware {
  let body = Mutex<[UInt8]>([])

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    var head = HTTPResponse(status: .ok)
    head.headerFields[.date] = "Thu, 20 Jun 2024 09:00:00 GMT"
    return StreamingResponse(
      head: head, body: ResponseBody(body.withLock { $0 }), url: request.url)
  }
}
