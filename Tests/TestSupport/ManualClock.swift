import Synchronization

/// A clock that stands still until it is told to go on.
///
/// A test first waits until the code under test sleeps, then advances: so it never depends on how
/// fast anything runs.
package final class ManualClock: Clock, Sendable {
  package struct Instant: InstantProtocol {
    /// Time since the clock was made.
    package let offset: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var nextID = 0
    var sleepers: [Int: Sleeper] = [:]
    /// Those who wait for somebody to sleep; woken at every change.
    var watchers: [Gate] = []
  }

  private let state = Mutex(State())

  package init() {}

  package var now: Instant { state.withLock { $0.now } }
  package var minimumResolution: Duration { .zero }

  /// How long each sleeping task still has to sleep, shortest first.
  package var remaining: [Duration] {
    state.withLock { state in
      state.sleepers.values.map { state.now.duration(to: $0.deadline) }.sorted()
    }
  }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer: Result<Void, any Error>? = state.withLock { state in
          if Task.isCancelled { return .failure(CancellationError()) }
          if deadline <= state.now { return .success(()) }
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          return nil
        }
        if let answer { continuation.resume(with: answer) } else { wakeWatchers() }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
      sleeper?.continuation.resume(throwing: CancellationError())
      wakeWatchers()
    }
  }

  /// Moves the time on and wakes whose sleep is over, the earliest first.
  package func advance(by duration: Duration) {
    let due = state.withLock { state in
      let now = state.now.advanced(by: duration)
      state.now = now
      let due = state.sleepers.filter { $0.value.deadline <= now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.continuation.resume() }
    wakeWatchers()
  }

  /// Returns when at least so many tasks sleep.
  package func waitForSleepers(count: Int) async throws {
    try await wait { $0.count >= count }
  }

  /// Returns when a task sleeps that has exactly so long to go.
  package func waitForSleep(of duration: Duration) async throws {
    try await wait { $0.contains(duration) }
  }

  private func wait(_ condition: ([Duration]) -> Bool) async throws {
    while true {
      let change = Gate()
      // Registered before looking, so that no change falls between the look and the wait.
      state.withLock { $0.watchers.append(change) }
      if condition(remaining) { return }
      try await change.wait()
    }
  }

  private func wakeWatchers() {
    let watchers = state.withLock { state in
      defer { state.watchers = [] }
      return state.watchers
    }
    for watcher in watchers { watcher.open() }
  }
}
