import Synchronization

/// A semaphore for each server.
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
