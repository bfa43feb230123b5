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
    RunningAccountSyncs(accounts, concurrency: concurrency) { [self] account, progress in
      await sync(account, resources, options, progress)
    }
  }

  private func sync(
    _ account: String, _ wanted: [Resource]?, _ options: SyncOptions,
    _ progress: @escaping @Sendable (AccountSyncEvent) -> Void
  ) async -> AccountSyncResult {
    do {
      let outcomes = try await syncResources(wanted, account: account) { resource in
        try await withSession(for: resource.rawValue, account: account) { session in
          try await sync(resource, account: account, over: session).run(options) {
            progress(.progress(account: account, resource: resource, $0))
          }
        }
      }
      return AccountSyncResult(
        account: account, outcomes: outcomes.map(AccountSyncResult.Outcome.init))
    } catch {
      return AccountSyncResult(
        account: account, outcomes: [.init(resource: nil, result: .failure(error))])
    }
  }
}

extension AccountSyncResult.Outcome {
  fileprivate init(_ outcome: ResourceOutcome<SyncReport>) {
    self.init(
      resource: outcome.resource,
      result: outcome.isInterrupted ? .failure(CancellationError()) : outcome.result)
  }
}
