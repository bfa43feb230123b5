public import Models
public import Sync

/// An event in the syncs of several accounts.
public enum AccountSyncEvent: Sendable {
  /// The syncs of an account have begun.
  case began(account: String)
  /// The sync of a resource of an account has progressed.
  case progress(account: String, resource: Resource, SyncProgress)
  /// The syncs of an account have ended.
  case finished(AccountSyncResult)

  /// True if a slow reader may miss the event.
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
