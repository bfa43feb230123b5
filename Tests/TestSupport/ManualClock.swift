package import Foundation
import Synchronization
package import SystemSupport

/// Time that stands still until a test moves it: a clock, and a time of day.
package final class ManualClock: Clock, Sendable {
  package struct Instant: InstantProtocol {
    let offset: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State {
    var now = Duration.seconds(1_000)
    var wall = Date()
    var nextID = 0
    var sleepers: [Int: (until: Duration, continuation: CheckedContinuation<Void, any Error>)] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  package var now: Instant { Instant(offset: state.withLock { $0.now }) }
  package var minimumResolution: Duration { .nanoseconds(1) }

  /// The time of day.
  package var wall: Date { state.withLock { $0.wall } }

  /// Both as a component reads them.
  package var source: TimeSource {
    TimeSource(
      uptime: { [self] in now.offset }, wall: { [self] in wall },
      sleep: { [self] in try await sleep(until: now.advanced(by: $0), tolerance: nil) },
      sleepUntil: { [self] in try await sleep(until: Instant(offset: $0), tolerance: nil) })
  }

  /// The time that each sleeper still has to sleep, the shortest first.
  package var pending: [Duration] {
    state.withLock { state in state.sleepers.values.map { $0.until - state.now }.sorted() }
  }

  /// Waits until a task sleeps for exactly this long.
  package func sleeper(of duration: Duration) async throws {
    try await eventually("somebody sleeps for \(duration)") { pending.contains(duration) }
  }

  /// Waits until a task sleeps at least this long from now.
  package func awaitSleeper(of duration: Duration = .zero) async throws {
    try await eventually("somebody sleeps") { pending.contains { $0 >= duration } }
  }

  /// Sets the time of day, as the user or a time server does; the clock goes on as it was.
  package func setWallClock(by seconds: TimeInterval) {
    state.withLock { $0.wall += seconds }
  }

  /// Moves on, and wakes who has slept long enough.
  package func advance(by duration: Duration) {
    let awake = state.withLock { state in
      state.now += duration
      state.wall += duration / .seconds(1)
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
