import Foundation
import Synchronization
import SystemSupport

/// A thread on which libsecret is called, one call after another.
///
/// Its calls block, and concurrent ones have crashed processes, so they have one thread, unlike
/// `BlockingWork`. Calls run in order, so that a write that timed out still runs before a later
/// one. If a call does not return in time, its waiter receives an error and the call keeps the
/// thread. If the thread is still busy long after that, another one replaces it.
final class KeyringThread: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    /// The number of threads started; an older thread ends when its call returns.
    var generation = 0
    /// The time at which the thread counts as lost, unless its call has returned.
    var lostAt: ContinuousClock.Instant?
  }

  /// The thread of calls that never ask the user.
  static let calls = KeyringThread(name: "appcore.keyring", patience: .seconds(60))
  /// The thread of calls that wait for the user, which must not delay others.
  static let prompts = KeyringThread(name: "appcore.keyring-prompt", patience: .zero)

  /// The queue that ends waits whose time is up.
  ///
  /// A serial queue has a thread of its own, even if the threads of the cooperative pool, which are
  /// those of the global queues, are all busy.
  private static let limits = DispatchQueue(label: "appcore.keyring-limits")

  private let name: String
  private let patience: Duration
  private let state = Mutex(State())

  private init(name: String, patience: Duration) {
    self.name = name
    self.patience = patience
  }

  /// Runs `body` on the thread and waits for it at most `limit`.
  ///
  /// - Parameter cancel: asks the call to end early; called when the time is up or the waiting
  ///   task is cancelled.
  func run<Value: Sendable>(
    _ operation: String, within limit: Duration, cancel: @escaping @Sendable () -> Void,
    body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let outcome = SharedOutcome<Value>()
    let fail: @Sendable (any Error) -> Void = { [self] error in
      guard outcome.resolve(.failure(error)) else { return }
      cancel()
      giveUp()
    }
    return try await withTaskCancellationHandler {
      guard !outcome.isResolved else { throw CancellationError() }
      enqueue(within: limit) {
        // A call is skipped if its waiter left before it began.
        guard !outcome.isResolved else { return }
        outcome.resolve(Result { try body() })
      }
      Self.limits.asyncAfter(deadline: .now() + limit / .seconds(1)) {
        fail(SecretStoreError.timedOut(operation: operation))
      }
      return try await outcome.value()
    } onCancel: {
      fail(CancellationError())
    }
  }

  /// Lets the next prompt start a thread of its own, because an abandoned one may stay open
  /// forever.
  private func giveUp() {
    guard patience == .zero else { return }
    state.withLock { if $0.lostAt != nil { $0.lostAt = .now } }
  }

  private func enqueue(within limit: Duration, _ job: @escaping @Sendable () -> Void) {
    let lostAt = ContinuousClock.now + limit + patience
    let timed: @Sendable () -> Void = { [self] in
      state.withLock { $0.lostAt = lostAt }
      job()
    }
    let starts = state.withLock { state -> Int? in
      state.jobs.append(timed)
      let isLost = state.lostAt.map { ContinuousClock.now >= $0 } ?? true
      guard isLost else { return nil }
      state.generation += 1
      state.lostAt = lostAt
      return state.generation
    }
    guard let generation = starts else { return }
    let thread = Thread { [self] in loop(generation) }
    thread.name = name
    BlockedSignals.whileStartingThreads { thread.start() }
  }

  /// Runs the waiting jobs and ends: starting a thread costs less than keeping one for rare calls.
  private func loop(_ generation: Int) {
    while let job = next(generation) { job() }
  }

  private func next(_ generation: Int) -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard state.generation == generation else { return nil }
      guard !state.jobs.isEmpty else {
        state.lostAt = nil
        return nil
      }
      return state.jobs.removeFirst()
    }
  }
}
