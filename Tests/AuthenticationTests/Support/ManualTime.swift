import Foundation
import Synchronization
import TestSupport

@testable import Authentication

/// A clock that stands still until a test moves it.
final class ManualTime: Sendable {
  private struct State {
    var uptime = Duration.seconds(1_000)
    var wall = Date()
    var nextID = 0
    var sleepers: [Int: (until: Duration, continuation: CheckedContinuation<Void, any Error>)] = [:]
  }

  private let state = Mutex(State())

  /// Moves both clocks and wakes the sleepers whose time is up.
  func advance(by duration: Duration) {
    let awake = state.withLock { state in
      state.uptime += duration
      state.wall += duration / .seconds(1)
      let now = state.uptime
      let awake = state.sleepers.filter { $0.value.until <= now }
      for id in awake.keys { state.sleepers[id] = nil }
      return awake.values.map(\.continuation)
    }
    for continuation in awake { continuation.resume() }
  }

  /// Sets the wall clock, as a user or a time server does; uptime does not change.
  func setWallClock(by seconds: TimeInterval) {
    state.withLock { $0.wall += seconds }
  }

  var now: Date { state.withLock { $0.wall } }

  /// Waits until a task sleeps for at least this long from now.
  func awaitSleeper(of duration: Duration = .zero) async throws {
    try await eventually("a task sleeps") {
      state.withLock { state in
        state.sleepers.values.contains { $0.until - state.uptime >= duration }
      }
    }
  }

  var source: TimeSource {
    TimeSource(
      uptime: { [self] in state.withLock { $0.uptime } },
      wall: { [self] in now },
      sleep: { [self] in try await sleep($0) })
  }

  private func sleep(_ duration: Duration) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        let isCancelled = state.withLock { state in
          guard !Task.isCancelled else { return true }
          state.sleepers[id] = (state.uptime + duration, continuation)
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation
        .resume(throwing: CancellationError())
    }
  }
}
