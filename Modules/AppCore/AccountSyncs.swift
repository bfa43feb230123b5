public import Models
public import Sync
import Synchronization

/// The syncs of several accounts under way.
///
/// They continue whether or not anyone reads the events.
public struct RunningAccountSyncs: Sendable {
  /// The number of accounts that are synced concurrently if no other is named.
  public static let usualConcurrency = 8

  /// The events, for one reader.
  public let events: AccountSyncEvents
  private let task: Task<[AccountSyncResult], Never>

  /// The results in the order in which the accounts were named, once all have ended.
  ///
  /// If the calling task is cancelled, the syncs are too, and what they have stored stays.
  public var results: [AccountSyncResult] {
    get async {
      await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }

  /// Cancels the syncs.
  public func cancel() { task.cancel() }

  /// Starts the syncs of accounts, at most so many concurrently.
  ///
  /// - Parameter sync: syncs one account, and reports its progress.
  init(
    _ accounts: [String], concurrency limit: Int,
    _ sync:
      @escaping @Sendable (
        _ account: String, _ progress: @escaping @Sendable (AccountSyncEvent) -> Void
      ) async -> AccountSyncResult
  ) {
    let queue = AccountSyncEvents.Queue()
    events = AccountSyncEvents(queue: queue)
    task = Task {
      defer { queue.finish() }
      return await accounts.concurrentMap(atMost: limit) { account -> AccountSyncResult in
        guard !Task.isCancelled else { return .interrupted(account) }
        queue.add(.began(account: account))
        let result = await sync(account) { queue.add($0) }
        queue.add(.finished(result))
        return result
      }
    }
  }
}

extension [String] {
  /// Returns a value for each element, in their order, several of which are made concurrently.
  func concurrentMap<Value: Sendable>(
    atMost limit: Int = RunningAccountSyncs.usualConcurrency,
    _ transform: @escaping @Sendable (String) async -> Value
  ) async -> [Value] {
    await withTaskGroup(of: (Int, Value).self) { group in
      var results: [Value?] = [Value?](repeating: nil, count: count)
      var rest = enumerated().makeIterator()
      func startNext() {
        guard let (index, element) = rest.next() else { return }
        group.addTask { (index, await transform(element)) }
      }
      for _ in 0..<Swift.max(1, limit) { startNext() }
      while let (index, value) = await group.next() {
        results[index] = value
        startNext()
      }
      return results.compactMap(\.self)
    }
  }
}

extension AccountSyncResult {
  fileprivate static func interrupted(_ account: String) -> AccountSyncResult {
    AccountSyncResult(
      account: account,
      outcomes: [Outcome(resource: nil, result: .failure(CancellationError()))])
  }
}

/// An event in the syncs of several accounts.
public enum AccountSyncEvent: Sendable {
  /// The syncs of an account have begun.
  case began(account: String)
  /// The sync of a resource of an account has progressed.
  case progress(account: String, resource: Resource, SyncProgress)
  /// The syncs of an account have ended.
  case finished(AccountSyncResult)

  var isDispensable: Bool { if case .progress = self { true } else { false } }
}

/// The result of the syncs of one account.
public struct AccountSyncResult: Sendable {
  /// The result of the sync of one resource.
  public struct Outcome: Sendable {
    /// The resource; `nil` if the account failed before its first sync.
    public let resource: Resource?
    /// The report, or the error that ended the sync.
    public let result: Result<SyncReport, any Error>
    /// The number of requests to authorization servers while it ran; of accounts that are synced at
    /// the same time, each counts those of all.
    public let tokenRequests: Int
    /// True if the login may not read the list, as in the run before, so that the user has been
    /// told.
    public let isRepeated: Bool

    init(
      resource: Resource?, result: Result<SyncReport, any Error>, tokenRequests: Int = 0,
      isRepeated: Bool = false
    ) {
      (self.resource, self.result, self.tokenRequests) = (resource, result, tokenRequests)
      self.isRepeated = isRepeated
    }
  }

  /// The account's name.
  public let account: String
  /// The outcomes in the order of the syncs; none if the provider lists no wanted resource.
  public let outcomes: [Outcome]

  /// Creates a result.
  package init(account: String, outcomes: [Outcome]) {
    self.account = account
    self.outcomes = outcomes
  }

  /// The reports of the syncs that did not fail.
  public var reports: [SyncReport] { outcomes.compactMap { try? $0.result.get() } }

  /// True if everything that the server lists is stored; after a dry run, if it was read.
  public var isComplete: Bool {
    outcomes.allSatisfy { outcome in
      (try? outcome.result.get())?.ending == nil
        && (try? outcome.result.get()) != nil
    }
  }

  /// True if the syncs were cancelled.
  public var isInterrupted: Bool {
    outcomes.contains { if case .failure(is CancellationError) = $0.result { true } else { false } }
  }
}

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

    func finish() { signal.finish() }

    fileprivate func take() -> AccountSyncEvent? {
      events.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
  }

  let queue: Queue

  /// Returns the iterator of the one reader.
  public func makeAsyncIterator() -> Iterator { Iterator(queue) }
}
