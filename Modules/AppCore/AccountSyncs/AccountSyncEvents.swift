import Synchronization

/// The events of the syncs of several accounts, for one reader.
///
/// A slow reader misses the oldest events of progress, and no other event.
public struct AccountSyncEvents: AsyncSequence, Sendable {
  /// The error of the sequence: it has none.
  public typealias Failure = Never

  /// An iterator over the events.
  public struct Iterator: AsyncIteratorProtocol {
    private let queue: Queue
    private var signals: AsyncStream<Void>.Iterator

    fileprivate init(_ queue: Queue) {
      self.queue = queue
      signals = queue.signals.makeAsyncIterator()
    }

    /// Returns the next event; `nil` after the last one.
    public mutating func next() async -> AccountSyncEvent? {
      while true {
        if let event = queue.take() { return event }
        guard await signals.next(isolation: #isolation) != nil else { return queue.take() }
      }
    }
  }

  /// The events that wait for the reader.
  final class Queue: Sendable {
    private static let most = 1_000
    private let events = Mutex<[AccountSyncEvent]>([])
    fileprivate let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() {
      (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ event: AccountSyncEvent) {
      events.withLock { events in
        if events.count >= Self.most, let oldest = events.firstIndex(where: \.isDispensable) {
          events.remove(at: oldest)
        }
        events.append(event)
      }
      signal.yield()
    }

    /// Ends the sequence after the events that wait.
    func finish() { signal.finish() }

    fileprivate func take() -> AccountSyncEvent? {
      events.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
  }

  let queue: Queue

  /// Returns the iterator of the one reader.
  public func makeAsyncIterator() -> Iterator { Iterator(queue) }
}
