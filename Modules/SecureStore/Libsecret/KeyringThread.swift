import Foundation
import Synchronization

/// A thread on which libsecret is called, one call after another.
///
/// Its calls block, and concurrent ones have brought processes down. Work is done in order, so that
/// a write which was given up on is still done before a later one. When a call does not return in
/// time its waiter is told so and goes on; the thread is left to it. A thread that has not come back
/// long after that is given up as well, and another takes its place.
final class KeyringThread: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    /// Grows with every thread that is started; an older one ends when its call returns.
    var generation = 0
    /// When the thread is lost, unless its call has returned.
    var lostAt: ContinuousClock.Instant?
  }

  /// For calls that ask the person nothing.
  static let calls = KeyringThread(name: "appcore.keyring", patience: .seconds(60))
  /// For calls that wait for a person: others must not wait behind them.
  static let prompts = KeyringThread(name: "appcore.keyring-prompt", patience: .zero)

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
    let answer = OneAnswer<Value>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard answer.wait(continuation) else { return }
        enqueue(within: limit) {
          // A call whose waiter has left before it began is not made at all.
          guard answer.isAwaited else { return }
          answer.give(Result { try body() })
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit / .seconds(1)) {
          if answer.give(.failure(SecretStoreError.timedOut(operation: operation))) {
            cancel()
            self.giveUp()
          }
        }
      }
    } onCancel: {
      if answer.give(.failure(CancellationError())) {
        cancel()
        giveUp()
      }
    }
  }

  /// A question whose asker has left may stay open for ever; the next one gets a thread of its own.
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
    thread.start()
  }

  /// Does what is there to do, and ends: a thread costs less than keeping one for rare calls.
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
