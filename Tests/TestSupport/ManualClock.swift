import Synchronization

/// A clock that stands still until a test moves it.
package final class ManualClock: Clock, Sendable {
  package struct Instant: InstantProtocol {
    let offset: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State {
    var now = Duration.zero
    var nextID = 0
    var sleepers: [Int: (until: Duration, continuation: CheckedContinuation<Void, any Error>)] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  package var now: Instant { Instant(offset: state.withLock { $0.now }) }
  package var minimumResolution: Duration { .nanoseconds(1) }

  /// How long each of those who sleep still has to, the shortest first.
  package var pending: [Duration] {
    state.withLock { state in state.sleepers.values.map { $0.until - state.now }.sorted() }
  }

  /// Waits until somebody sleeps for exactly this long.
  package func sleeper(of duration: Duration) async throws {
    try await eventually("somebody sleeps for \(duration)") { pending.contains(duration) }
  }

  /// Moves on, and wakes who has slept long enough.
  package func advance(by duration: Duration) {
    let awake = state.withLock { state in
      state.now += duration
      let due = state.sleepers.filter { $0.value.until <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in awake { continuation.resume() }
  }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        let answer: Result<Void, any Error>? = state.withLock { state in
          if Task.isCancelled { return .failure(CancellationError()) }
          if deadline.offset <= state.now { return .success(()) }
          state.sleepers[id] = (deadline.offset, continuation)
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation
        .resume(throwing: CancellationError())
    }
  }
}
