import Synchronization

/// A queue of turns for each server.
final class HostTurns: Sendable {
  private let limit: Int
  private let queues = Mutex<[Origin: TurnQueue]>([:])

  init(limit: Int) {
    self.limit = limit
  }

  subscript(origin: Origin) -> TurnQueue {
    queues.withLock { queues in
      if let queue = queues[origin] { return queue }
      let queue = TurnQueue(limit: limit)
      queues[origin] = queue
      return queue
    }
  }
}
