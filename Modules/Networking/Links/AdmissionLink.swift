import Synchronization

/// Lets so many requests run at once; the others wait in the order in which they came.
final class AdmissionLink: Link {
  private struct State {
    var free: Int
    var nextID = 0
    var waiters: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
  }

  private let state: Mutex<State>
  private let next: any Link

  init(limit: Int, next: any Link) {
    state = Mutex(State(free: max(1, limit)))
    self.next = next
  }

  func send(_ request: Request) async throws -> Response {
    try await enter()
    defer { leave() }
    return try await next.send(request)
  }

  private func enter() async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        let answer: Result<Void, any Error>? = state.withLock { state in
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.free > 0 {
            state.free -= 1
            return .success(())
          }
          state.waiters.append((id, continuation))
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }

  private func leave() {
    let waiter = state.withLock { state in
      if state.waiters.isEmpty {
        state.free += 1
        return CheckedContinuation<Void, any Error>?.none
      }
      // The slot goes straight to the first in line.
      return state.waiters.removeFirst().continuation
    }
    waiter?.resume()
  }
}
