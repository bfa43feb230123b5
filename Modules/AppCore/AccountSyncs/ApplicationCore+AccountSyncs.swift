import Authentication
public import Models
import Networking
public import Sync

extension ApplicationCore {
  /// Starts syncs of several accounts, several of them concurrently, each within the limits that
  /// its provider publishes for an organisation.
  ///
  /// One account's failure stops no other. Accounts that share a login share its renewals.
  ///
  /// - Parameters:
  ///   - resources: the resources; `nil` takes all that an account's provider lists. An account
  ///     whose provider does not list one is synced without it.
  ///   - accounts: the accounts, such as ``syncedAccounts()``.
  ///   - options: the options of each run.
  ///   - concurrency: the number of accounts that are synced concurrently.
  public func sync(
    _ resources: [Resource]? = nil, accounts: [String], options: SyncOptions = SyncOptions(),
    concurrency: Int = RunningAccountSyncs.usualConcurrency
  ) -> RunningAccountSyncs {
    RunningAccountSyncs(accounts, atOnce: concurrency) { [self] account, progress in
      await sync(account, resources, options, progress)
    }
  }

  private func sync(
    _ account: String, _ wanted: [Resource]?, _ options: SyncOptions,
    _ progress: @escaping @Sendable (AccountSyncEvent) -> Void
  ) async -> AccountSyncResult {
    let listed: [Resource]
    do { listed = try resources(account: account) } catch {
      return AccountSyncResult(
        account: account, outcomes: [.init(resource: nil, result: .failure(error))])
    }
    var outcomes: [AccountSyncResult.Outcome] = []
    for resource in listed where wanted?.contains(resource) ?? true {
      let result: Result<SyncReport, any Error>
      do {
        result = .success(
          try await withSession(for: resource.rawValue, account: account) { session in
            try await sync(resource, account: account, over: session).run(options) {
              progress(.progress(account: account, resource: resource, $0))
            }
          })
      } catch {
        result = .failure(Task.isCancelled ? CancellationError() : error)
      }
      outcomes.append(.init(resource: resource, result: result))
      if Task.isCancelled { break }
    }
    return AccountSyncResult(account: account, outcomes: outcomes)
  }
}
