import Foundation
import Networking
import TestSupport

/// Holds back the first request to a path, and all after it, until it is opened.
final class RequestGate: Middleware {
  private let path: String
  private let gate = Gate()
  private let arrivals = Counter()

  /// - Parameter path: path and query, or their beginning.
  init(at path: String) {
    self.path = path
  }

  /// Whether a request waits there, or has passed.
  var isReached: Bool { arrivals.value > 0 }

  func open() { gate.open() }

  func send(_ request: Request, next: Next) async throws -> StreamingResponse {
    let target = request.url.path() + (request.url.query().map { "?" + $0 } ?? "")
    if target.hasPrefix(path) {
      arrivals.increment()
      await gate.wait()
    }
    return try await next.send(request)
  }
}
