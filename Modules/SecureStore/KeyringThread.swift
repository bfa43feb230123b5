import Foundation
import Synchronization

/// The one thread on which libsecret is called.
///
/// Its calls block, and concurrent ones have brought processes down. The thread takes work in
/// order, so that a write which was given up on is still done before a later one. When a call does
/// not return in time its waiter is told so and goes on; the thread is left to it.
final class KeyringThread: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var isRunning = false
  }

  static let shared = KeyringThread()

  private let state = Mutex(State())
  private let wakeUp = DispatchSemaphore(value: 0)

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
        enqueue {
          // A call whose waiter has left before it began is not made at all.
          guard answer.isAwaited else { return }
          answer.give(Result { try body() })
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit.seconds) {
          if answer.give(.failure(SecretStoreError.timedOut(operation: operation))) { cancel() }
        }
      }
    } onCancel: {
      if answer.give(.failure(CancellationError())) { cancel() }
    }
  }

  private func enqueue(_ job: @escaping @Sendable () -> Void) {
    let starts = state.withLock { state in
      state.jobs.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if starts {
      let thread = Thread { [self] in loop() }
      thread.name = "appcore.keyring"
      thread.start()
    }
    wakeUp.signal()
  }

  private func loop() {
    while true {
      wakeUp.wait()
      let job = state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
      job?()
    }
  }
}

/// An answer that is given once, to one waiter.
private final class OneAnswer<Value: Sendable>: Sendable {
  private enum State {
    case new
    case awaited(CheckedContinuation<Value, any Error>)
    case given(Result<Value, any Error>)
  }

  private let state = Mutex(State.new)

  var isAwaited: Bool {
    state.withLock { if case .awaited = $0 { true } else { false } }
  }

  /// Takes the waiter; `false` where it was answered at once.
  func wait(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
    let early: Result<Value, any Error>? = state.withLock { state in
      if case .given(let result) = state { return result }
      state = .awaited(continuation)
      return nil
    }
    if let early { continuation.resume(with: early) }
    return early == nil
  }

  /// Answers; `false` where somebody was faster.
  @discardableResult
  func give(_ result: Result<Value, any Error>) -> Bool {
    let (isFirst, waiter) = state.withLock {
      state -> (Bool, CheckedContinuation<Value, any Error>?) in
      switch state {
      case .new:
        state = .given(result)
        return (true, nil)
      case .awaited(let waiter):
        state = .given(result)
        return (true, waiter)
      case .given:
        return (false, nil)
      }
    }
    waiter?.resume(with: result)
    return isFirst
  }
}

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
