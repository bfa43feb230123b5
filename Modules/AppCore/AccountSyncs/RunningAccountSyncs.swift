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
      return await withTaskGroup(of: (Int, AccountSyncResult).self) { group in
        var results: [AccountSyncResult?] = Array(repeating: nil, count: accounts.count)
        var rest = accounts.enumerated().makeIterator()
        func startNext() {
          guard let (index, account) = rest.next() else { return }
          group.addTask {
            guard !Task.isCancelled else { return (index, .interrupted(account)) }
            queue.add(.began(account: account))
            let result = await sync(account) { queue.add($0) }
            queue.add(.finished(result))
            return (index, result)
          }
        }
        for _ in 0..<max(1, limit) { startNext() }
        while let (index, result) = await group.next() {
          results[index] = result
          startNext()
        }
        return results.compactMap(\.self)
      }
    }
  }
}

extension AccountSyncResult {
  /// The result of an account whose syncs were cancelled before they began.
  fileprivate static func interrupted(_ account: String) -> AccountSyncResult {
    AccountSyncResult(
      account: account,
      outcomes: [Outcome(resource: nil, result: .failure(CancellationError()))])
  }
}
