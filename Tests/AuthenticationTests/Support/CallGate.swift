import Synchronization
import TestSupport

/// A gate before some calls, which go on whatever becomes of the task that makes them.
final class CallGate: Sendable {
  private struct State {
    var gate: Gate?
    /// The number of calls that are still to be held back.
    var left = 0
    var held = 0
  }

  private let state = Mutex(State())

  deinit { open() }

  /// Holds the next call back.
  func close() { state.withLock { $0 = State(gate: Gate(), left: 1) } }

  /// Releases the call that was held back.
  func open() { state.withLock { $0.gate }?.open() }

  /// Waits until a call has reached the gate since it was closed.
  func reached() async throws {
    try await eventually("the call is held back") { state.withLock { $0.held } > 0 }
  }

  func pass() async {
    let gate = state.withLock { state -> Gate? in
      guard state.left > 0 else { return nil }
      state.left -= 1
      state.held += 1
      return state.gate
    }
    await gate?.waitWhateverHappens()
  }
}
