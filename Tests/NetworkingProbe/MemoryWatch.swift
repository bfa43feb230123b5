import Synchronization
import TestSupport

/// The growth of resident memory while something large goes through it.
final class MemoryWatch: Sendable {
  private struct State {
    var looked = 0
    var first: Int?
    var largest = 0
  }

  private static let step = 16 << 20
  private let state = Mutex(State())

  /// Between the first look, when everything that is needed once is there, and the largest.
  var growth: Int { state.withLock { $0.largest - ($0.first ?? 0) } }

  /// Looks once for every so many bytes.
  func look(at position: Int) {
    state.withLock { state in
      guard position - state.looked >= Self.step, let now = try? ProcessUsage.resident() else {
        return
      }
      state.looked = position
      if state.first == nil { state.first = now }
      state.largest = max(state.largest, now)
    }
  }
}
