import Foundation
import Networking
import Synchronization
import TestSupport

/// A gate before the token endpoint; while it is closed, a test can act in the middle of a renewal.
final class TokenGate: Middleware {
  private struct State {
    /// `nil` while it is open.
    var gate: Gate?
    var held = 0
  }

  private let state = Mutex(State())

  deinit { open() }

  /// Holds requests back from now on.
  func close() { state.withLock { $0 = State(gate: Gate()) } }

  /// Releases the requests that were held back, and lets later ones pass.
  func open() {
    let gate = state.withLock { state in
      defer { state.gate = nil }
      return state.gate
    }
    gate?.open()
  }

  /// Waits until a renewal's request has reached the gate since it was closed.
  func reached() async throws {
    try await eventually("the token is being spent") { state.withLock { $0.held } > 0 }
  }

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    if request.url.path() == "/connect/token" {
      let gate = state.withLock { state in
        if state.gate != nil { state.held += 1 }
        return state.gate
      }
      await gate?.wait()
    }
    return try await next.send(request)
  }
}
