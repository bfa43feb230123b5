import Synchronization
import SystemSupport

/// Ends work that takes too long: one sleeping task serves all operations of a session.
///
/// A sleeping task for each request would cost more than everything else a session does; here, a
/// deadline costs an entry in a table.
final class DeadlineScheduler: Sendable {
  /// Called when the time is up; it returns a later moment to extend the deadline.
  typealias Expiry = @Sendable (_ now: Duration) -> Duration?

  private struct State {
    var nextID = 0
    var entries: [Int: (at: Duration, expire: Expiry)] = [:]
    var sleeper: (task: Task<Void, Never>, wakesAt: Duration)?
  }

  private let clock: TimeSource
  private let state = Mutex(State())

  init(clock: TimeSource) {
    self.clock = clock
  }

  deinit { state.withLock { $0.sleeper?.task.cancel() } }

  func arm(after limit: Duration, _ expire: @escaping Expiry) -> Int {
    let at = clock.uptime() + limit
    return state.withLock { state in
      state.nextID += 1
      state.entries[state.nextID] = (at, expire)
      if let sleeper = state.sleeper, sleeper.wakesAt <= at { return state.nextID }
      state.sleeper?.task.cancel()
      state.sleeper = sleeper(until: at)
      return state.nextID
    }
  }

  func disarm(_ id: Int) {
    state.withLock { _ = $0.entries.removeValue(forKey: id) }
  }

  private func sleeper(until wakesAt: Duration) -> (task: Task<Void, Never>, wakesAt: Duration) {
    let clock = clock
    let task = Task { [weak self] in
      do { try await clock.sleepUntil(wakesAt) } catch { return }
      self?.wake()
    }
    return (task, wakesAt)
  }

  private func wake() {
    let now = clock.uptime()
    let due = state.withLock { state in
      state.entries.filter { $0.value.at <= now }
    }
    // Outside the lock, because expired work calls back to remove its deadline.
    let later = due.mapValues { $0.expire(now) }
    state.withLock { state in
      for (id, at) in later {
        guard let at else {
          state.entries[id] = nil
          continue
        }
        state.entries[id]?.at = at
      }
      state.sleeper = state.entries.values.map(\.at).min().map { sleeper(until: $0) }
    }
  }
}
