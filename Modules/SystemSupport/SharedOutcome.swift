import Synchronization

/// A result that any number of tasks wait for, each with its own cancellation.
///
/// Awaiting a `Task`'s value ignores the waiter's cancellation. Here a cancelled waiter leaves
/// immediately, and the others are not affected. Every waiter is resumed exactly once.
package final class SharedOutcome<Value: Sendable>: Sendable {
  private enum State {
    case pending(waiters: [Int: CheckedContinuation<Value, any Error>], nextID: Int)
    case resolved(Result<Value, any Error>)
  }

  private let state = Mutex(State.pending(waiters: [:], nextID: 0))

  /// Creates an outcome that has no result yet.
  package init() {}

  /// True if there is a result; a snapshot, since another thread may resolve it right after.
  package var isResolved: Bool {
    state.withLock { if case .resolved = $0 { true } else { false } }
  }

  /// Resumes all current and future waiters with the result; later results are ignored.
  ///
  /// - Returns: `false` if there was a result already.
  @discardableResult
  package func resolve(_ result: Result<Value, any Error>) -> Bool {
    let waiters = state.withLock { state -> [CheckedContinuation<Value, any Error>]? in
      guard case .pending(let waiters, _) = state else { return nil }
      state = .resolved(result)
      return Array(waiters.values)
    }
    for waiter in waiters ?? [] { waiter.resume(with: result) }
    return waiters != nil
  }

  /// Waits for the result; throws `CancellationError` as soon as the waiting task is cancelled.
  package func value() async throws -> Value {
    let id = state.withLock { state -> Int in
      guard case .pending(let waiters, let nextID) = state else { return 0 }
      state = .pending(waiters: waiters, nextID: nextID + 1)
      return nextID
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if let result = register(continuation, as: id) { continuation.resume(with: result) }
      }
    } onCancel: {
      remove(id)?.resume(throwing: CancellationError())
    }
  }

  /// Waits for `work`, but only until this outcome is resolved; the work then continues without the
  /// caller.
  ///
  /// The caller's cancellation does not end the wait.
  package func unlessResolved(_ work: @escaping @Sendable () async -> Void) async {
    let either = SharedOutcome<Void>()
    let mine = Task {
      guard (try? await self.value()) != nil else { return }
      either.resolve(.success(()))
    }
    Task {
      await work()
      either.resolve(.success(()))
    }
    await Task { try? await either.value() }.value
    mine.cancel()
  }

  private func register(
    _ continuation: CheckedContinuation<Value, any Error>, as id: Int
  ) -> Result<Value, any Error>? {
    state.withLock { state in
      switch state {
      case .resolved(let result):
        return result
      case .pending(var waiters, let nextID):
        // The handler of a task that was cancelled before this has already run: nothing would ever
        // resume the continuation.
        if Task.isCancelled { return .failure(CancellationError()) }
        waiters[id] = continuation
        state = .pending(waiters: waiters, nextID: nextID)
        return nil
      }
    }
  }

  private func remove(_ id: Int) -> CheckedContinuation<Value, any Error>? {
    state.withLock { state in
      guard case .pending(var waiters, let nextID) = state else { return nil }
      let continuation = waiters.removeValue(forKey: id)
      state = .pending(waiters: waiters, nextID: nextID)
      return continuation
    }
  }
}

/// Work that is done once for all its waiters, and cancelled when the last of them has left.
package final class SharedTask<Value: Sendable>: Sendable {
  private struct State {
    var waiters = 0
    var isAbandoned = false
    var holdsWaiters = false
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

  /// Waits for the result, after ``join()``; a waiter that is cancelled leaves immediately, unless
  /// the work holds its waiters.
  package func value() async throws -> Value {
    // In a task of its own, since the work decides whether the caller's cancellation ends the wait.
    let wait = Task { try await outcome.value() }
    return try await withTaskCancellationHandler {
      try await wait.value
    } onCancel: {
      if leave() { wait.cancel() }
    }
  }

  /// Makes all waiters wait for the result from now on, even those that are cancelled: the work is
  /// about to do what cannot be undone.
  ///
  /// - Throws: `CancellationError` if every waiter has left.
  package func holdWaiters() throws {
    try state.withLock { state in
      guard !state.isAbandoned else { throw CancellationError() }
      state.holdsWaiters = true
    }
  }

  /// Cancels the work and resumes every waiter with an error.
  package func end(_ error: any Error) {
    state.withLock { $0.isAbandoned = true }
    outcome.resolve(.failure(error))
    task.cancel()
  }

  /// Returns `false` if the waiter has to stay.
  private func leave() -> Bool {
    let (leaves, isLast) = state.withLock { state in
      guard !state.holdsWaiters else { return (false, false) }
      state.waiters -= 1
      if state.waiters == 0 { state.isAbandoned = true }
      return (true, state.waiters == 0)
    }
    // Cancellation does nothing if the work has ended.
    if isLast { task.cancel() }
    return leaves
  }
}
