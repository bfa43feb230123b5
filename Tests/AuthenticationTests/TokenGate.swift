import Foundation
import Networking
import Synchronization
import TestSupport

/// Holds requests to the token endpoint back while it is closed, so that a test can do something in the
/// midst of a renewal.
final class TokenGate: Middleware {
  private struct State {
    /// `nil` while it is open.
    var gate: Gate?
    var held = 0
  }

  private let state = Mutex(State())

  deinit { open() }

  /// Holds back what comes from now on.
  func close() { state.withLock { $0 = State(gate: Gate()) } }

  /// Lets go what was held back, and what is still to come.
  func open() {
    let gate = state.withLock { state in
      defer { state.gate = nil }
      return state.gate
    }
    gate?.open()
  }

  /// Waits until a renewal has come as far as its request since the gate was closed.
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
