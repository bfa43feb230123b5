import Synchronization

/// Work that is done once for all its waiters, and cancelled when the last of them has left.
package final class SharedTask<Value: Sendable>: Sendable {
  private struct State {
    var waiters = 0
    var isAbandoned = false
  }

  private let outcome = SharedOutcome<Value>()
  private let state = Mutex(State())
  private let task: Task<Void, Never>

  /// Starts the work.
  package init(_ body: @escaping @Sendable () async throws -> Value) {
    let outcome = outcome
    task = Task {
      do { outcome.resolve(.success(try await body())) } catch { outcome.resolve(.failure(error)) }
    }
  }

  /// Registers one more waiter.
  ///
  /// - Returns: `false` if every waiter has left and the work is being cancelled; start a new task
  ///   then.
  package func join() -> Bool {
    state.withLock { state in
      guard !state.isAbandoned else { return false }
      state.waiters += 1
      return true
    }
  }

  /// Waits for the result, after ``join()``; a waiter that is cancelled leaves immediately.
  package func value() async throws -> Value {
    defer { leave() }
    return try await outcome.value()
  }

  /// Cancels the work and resumes every waiter with an error.
  package func end(_ error: any Error) {
    state.withLock { $0.isAbandoned = true }
    outcome.resolve(.failure(error))
    task.cancel()
  }

  private func leave() {
    let isLast = state.withLock { state in
      state.waiters -= 1
      if state.waiters == 0 { state.isAbandoned = true }
      return state.waiters == 0
    }
    // Cancellation does nothing if the work has ended.
    if isLast { task.cancel() }
  }
}
