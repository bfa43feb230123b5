import Foundation
package import Networking
import Synchronization
import TestSupport

/// Holds back the first request to a path, or a later one, and all after it, until it is opened.
package final class RequestGate: Middleware {
  private let path: String
  private let passing: Int
  private let gate = Gate()
  private let arrivals = Mutex(0)

  /// - Parameters:
  ///   - path: path and query, or their beginning.
  ///   - passing: how many requests to it pass unhindered first.
  package init(at path: String, passing: Int = 0) {
    self.path = path
    self.passing = passing
  }

  /// The number of requests that wait there, or have waited.
  package var held: Int { max(0, arrivals.withLock { $0 } - passing) }

  /// True if a request waits there, or has passed.
  package var isReached: Bool { held > 0 }

  package func open() { gate.open() }

  package func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    let target = request.url.path() + (request.url.query().map { "?" + $0 } ?? "")
    if target.hasPrefix(path) {
      let number = arrivals.withLock { arrivals in
        arrivals += 1
        return arrivals
      }
      if number > passing { await gate.wait() }
    }
    return try await next.send(request)
  }
}
