import Synchronization

/// A number of permits, with a queue in order of arrival; while it is suspended, everyone waits.
final class AsyncSemaphore: Sendable {
  private struct State {
    var free: Int
    var isSuspended = false
    var nextID = 0
    var waiters: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []

    var isOpen: Bool { free > 0 && !isSuspended && waiters.isEmpty }

    mutating func admit() -> [CheckedContinuation<Void, any Error>] {
      guard !isSuspended else { return [] }
      let admitted = waiters.prefix(free)
      waiters.removeFirst(admitted.count)
      free -= admitted.count
      return admitted.map(\.continuation)
    }
  }

  private let state: Mutex<State>

  init(limit: Int) {
    state = Mutex(State(free: max(1, limit)))
  }

  func tryAcquire() -> Bool {
    state.withLock { state in
      guard state.isOpen else { return false }
      state.free -= 1
      return true
    }
  }

  /// Waits for a permit; a task that is cancelled leaves the queue.
  func take() async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        let answer: Result<Void, any Error>? = state.withLock { state in
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.isOpen {
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

  func release() {
    change { $0.free += 1 }
  }

  func suspend() {
    change { $0.isSuspended = true }
  }

  func resume() {
    change { $0.isSuspended = false }
  }

  private func change(_ body: (inout State) -> Void) {
    let admitted = state.withLock { state in
      body(&state)
      return state.admit()
    }
    for continuation in admitted { continuation.resume() }
  }
}

final class HostPermits: Sendable {
  private let limit: Int
  private let queues = Mutex<[Origin: AsyncSemaphore]>([:])

  init(limit: Int) {
    self.limit = limit
  }

  subscript(origin: Origin) -> AsyncSemaphore {
    queues.withLock { queues in
      if let queue = queues[origin] { return queue }
      let queue = AsyncSemaphore(limit: limit)
      queues[origin] = queue
      return queue
    }
  }
}
