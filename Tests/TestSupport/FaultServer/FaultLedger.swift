import NIOCore
import Synchronization

/// The connections and requests of a server on the loopback interface.
final class FaultLedger: Sendable {
  private struct State {
    var requests: [String] = []
    var accepted = 0
    var handshakes = 0
    var response = 0
    var open: [ObjectIdentifier: any Channel] = [:]
    var isStopped = false
  }

  private let state = Mutex(State())

  var requests: [String] { state.withLock { $0.requests } }
  var accepted: Int { state.withLock { $0.accepted } }
  var handshakes: Int { state.withLock { $0.handshakes } }
  var open: Int { state.withLock { $0.open.count } }

  /// Notes a connection; `false` where it has come too late.
  func opened(_ channel: any Channel) -> Bool {
    state.withLock { state in
      guard !state.isStopped else { return false }
      state.accepted += 1
      state.open[ObjectIdentifier(channel)] = channel
      return true
    }
  }

  func closed(_ channel: any Channel) {
    state.withLock { _ = $0.open.removeValue(forKey: ObjectIdentifier(channel)) }
  }

  func completedHandshake() {
    state.withLock { $0.handshakes += 1 }
  }

  func requested(_ text: String) {
    state.withLock { $0.requests.append(text) }
  }

  /// Returns the index of the next response.
  func nextResponse() -> Int {
    state.withLock { state in
      defer { state.response += 1 }
      return state.response
    }
  }

  /// Refuses connections from now on, and ends those there are.
  ///
  /// - Returns: what is being closed.
  @discardableResult
  func stop() -> [any Channel] {
    let open = state.withLock { state in
      state.isStopped = true
      return Array(state.open.values)
    }
    for channel in open { WireHandler.close(channel) }
    return open
  }
}
