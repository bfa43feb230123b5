import Authentication
import Foundation
import Synchronization
import SystemSupport

/// Time that skips every wait: a waiting task advances it, and no task really waits.
///
/// A wait that only bounds other work, which usually ends first, does not advance the time; it ends
/// when other waits have advanced the time far enough.
final class SimulatedTime: Clock, Sendable {
  struct Instant: InstantProtocol {
    let offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Bound {
    let until: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var uptime = Duration.seconds(10_000)
    /// The time by which the wall clock is ahead of uptime, since 1970.
    var epoch: TimeInterval
    var nextID = 0
    var bounds: [Int: Bound] = [:]
    /// The number of times that the clock was read or moved.
    var looks = 0
    var isOver = false
  }

  /// A bound that is never reached.
  static let never = Duration.seconds(100_000_000)

  /// From so long on a wait is a bound.
  private static let bound = Duration.seconds(15)

  private let state: Mutex<State>

  init(startingAt milliseconds: Int64) {
    state = Mutex(State(epoch: Double(milliseconds) / 1_000 - 10_000))
  }

  /// The uptime, which advances a little with each reading, so that no two moments are equal.
  var uptime: Duration {
    state.withLock { state in
      state.uptime += .microseconds(10)
      state.looks += 1
      return state.uptime
    }
  }

  var wall: Date {
    let uptime = uptime
    return Date(timeIntervalSince1970: state.withLock { $0.epoch } + uptime / .seconds(1))
  }

  var now: Instant { Instant(offset: uptime) }
  var minimumResolution: Duration { .nanoseconds(1) }

  /// Sets the wall clock, as a user or a time server does.
  func setWall(by seconds: TimeInterval) { state.withLock { $0.epoch += seconds } }

  /// Advances the time, and ends the waits whose bound is reached.
  func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.uptime += duration
      state.looks += 1
      let due = state.bounds.filter { $0.value.until <= state.uptime }
      for id in due.keys { state.bounds[id] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in due { continuation.resume() }
  }

  /// Advances to the earliest bound if no task has read the time since the last call, because then
  /// no task is running.
  func advanceIfIdle() {
    let wait: Duration? = state.withLock { state in
      defer { state.looks = 0 }
      guard state.looks == 0 else { return nil }
      let waits = state.bounds.values.map { $0.until - state.uptime }
      return waits.filter { $0 < Self.never / 2 }.min()
    }
    if let wait { advance(by: max(.zero, wait) + .milliseconds(1)) }
  }

  /// Ends every wait, at the end of the simulation.
  func end() {
    let waiting = state.withLock { state in
      state.isOver = true
      defer { state.bounds = [:] }
      return state.bounds.values.map(\.continuation)
    }
    for continuation in waiting { continuation.resume(throwing: CancellationError()) }
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await wait(now.duration(to: deadline))
  }

  func wait(_ duration: Duration) async throws {
    guard duration >= Self.bound else {
      try Task.checkCancellation()
      advance(by: max(.zero, duration))
      await Task.yield()
      try Task.checkCancellation()
      return
    }
    try await park(for: duration)
  }

  private func park(for duration: Duration) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        let isCancelled = state.withLock { state in
          guard !Task.isCancelled, !state.isOver else { return true }
          state.bounds[id] = Bound(until: state.uptime + duration, continuation: continuation)
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      state.withLock { $0.bounds.removeValue(forKey: id) }?.continuation
        .resume(throwing: CancellationError())
    }
  }

  /// As the authenticator sees it.
  var source: TimeSource {
    TimeSource(
      uptime: { [self] in uptime }, wall: { [self] in wall },
      sleep: { [self] in try await wait($0) })
  }
}
