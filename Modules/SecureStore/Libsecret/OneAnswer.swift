import Synchronization

/// An answer that is given once, to one waiter.
final class OneAnswer<Value: Sendable>: Sendable {
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
