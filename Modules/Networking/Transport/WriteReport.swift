import Synchronization
import SystemSupport

/// Tells whether anything of a request may have been written to a connection, over all its
/// attempts.
///
/// What a request spends is unspent for certain only where nothing was written; no error and no
/// status of a later attempt says so. What a front end's link at the wire kept from the transport
/// may have been written by it.
package final class WriteReport: Sendable {
  private struct State {
    var isWritten = false
    var attempts = 0
    /// The number of times that the transport, or a foreign link, was given the request.
    var begun = 0
    var handedOn = 0
    /// Resolved when the attempts under way are over.
    var settled = SharedOutcome<Void>()
  }

  private let state = Mutex(State())
  /// The longest wait for an attempt that was ended: its event loop only has to notice.
  private static let patience = Duration.seconds(1)

  /// Creates the report of a request that was not sent yet.
  package init() {}

  /// A front end's link is given the request, and may send it by means of its own.
  func handedOn() { state.withLock { $0.handedOn += 1 } }

  func attemptBegan() {
    state.withLock { state in
      state.begun += 1
      if state.attempts == 0 { state.settled = SharedOutcome() }
      state.attempts += 1
    }
  }

  func attemptEnded(wasWritten: Bool) {
    let settled = state.withLock { state in
      state.attempts -= 1
      state.isWritten = state.isWritten || wasWritten
      return state.attempts == 0 ? state.settled : nil
    }
    settled?.resolve(.success(()))
  }

  /// Returns true if it is certain that no byte of the request was written.
  package func isUnwritten() async -> Bool {
    let settled = state.withLock { $0.attempts > 0 ? $0.settled : nil }
    if let settled {
      let limit = Task {
        try await Task.sleep(for: Self.patience)
        settled.resolve(.success(()))
      }
      try? await settled.value()
      limit.cancel()
    }
    return state.withLock { $0.attempts == 0 && !$0.isWritten && $0.begun >= $0.handedOn }
  }
}
