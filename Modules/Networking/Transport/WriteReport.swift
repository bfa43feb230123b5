import Synchronization
package import SystemSupport

/// Reports whether any part of a request may have been written to a connection, over all attempts.
///
/// Only if nothing was written is it certain that a single-use value in the request, such as a
/// code, is unused. No error and no status of a later attempt proves that. If a front end's network
/// link does not pass the request to the transport, the link may have written it.
package final class WriteReport: Sendable {
  private struct State {
    var isWritten = false
    /// True if the head of an attempt was written, which may still be in progress.
    var isHeadWritten = false
    var attempts = 0
    /// The number of times that the transport, or a foreign link, received the request.
    var begun = 0
    var handedOn = 0
    var settled = SharedOutcome<Void>()
  }

  private let state = Mutex(State())
  private let time: TimeSource
  /// The longest wait for an ended attempt.
  ///
  /// Its event loop only has to notice the end, but on a busy machine that can take seconds.
  package static let patience = Duration.seconds(60)

  /// Creates the report of a request that was not sent yet.
  package init(time: TimeSource = .system) {
    self.time = time
  }

  /// Notes that a front end's link received the request, which it may send in its own way.
  func handedOn() { state.withLock { $0.handedOn += 1 } }

  func headWritten() { state.withLock { $0.isHeadWritten = true } }

  /// True if any byte may have been written so far.
  package var mayBeWritten: Bool {
    state.withLock { $0.isWritten || $0.isHeadWritten || $0.handedOn > 0 }
  }

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

  /// Returns whether it is certain that no byte of the request was written, after the attempts in
  /// progress are over.
  package func isUnwritten() async -> Bool {
    let settled = state.withLock { $0.attempts > 0 ? $0.settled : nil }
    if let settled {
      let limit = Task { [time] in
        try await time.sleep(Self.patience)
        settled.resolve(.success(()))
      }
      try? await settled.value()
      limit.cancel()
    }
    return state.withLock { $0.attempts == 0 && !$0.isWritten && $0.begun >= $0.handedOn }
  }
}
