import Synchronization

/// One result that any number of tasks wait for, each with its own cancellation.
///
/// Awaiting a `Task`'s value ignores the waiter's cancellation; here a cancelled waiter leaves at
/// once and nobody else notices. Every waiter is resumed exactly once.
package final class SharedOutcome<Value: Sendable>: Sendable {
  private enum State {
    case pending(waiters: [Int: CheckedContinuation<Value, any Error>], nextID: Int)
    case resolved(Result<Value, any Error>)
  }

  private let state = Mutex(State.pending(waiters: [:], nextID: 0))

  /// Creates an outcome that is still to come.
  package init() {}

  /// Gives the result to everybody who waits and to those still to come; later results are ignored.
  package func resolve(_ result: Result<Value, any Error>) {
    let waiters = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
      guard case .pending(let waiters, _) = state else { return [] }
      state = .resolved(result)
      return Array(waiters.values)
    }
    for waiter in waiters { waiter.resume(with: result) }
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

  /// Waits for work until this outcome is there; the work then goes on with nobody waiting for it.
  ///
  /// It does not heed the caller's cancellation.
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
        // A task that was cancelled before it came here has had its handler run already: it would
        // never be resumed.
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
