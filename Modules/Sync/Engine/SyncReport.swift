public import Models

/// What one run of a sync did.
public struct SyncReport: Sendable {
  /// How a run ended.
  public enum Result: String, Sendable, Codable {
    /// Everything that the server had to tell is stored.
    case complete
    /// What was read is stored; there is more, or a row could not be read.
    case partial
  }

  /// The account's name.
  public let account: String
  /// The provider's name.
  public let provider: String
  /// How it ended.
  public internal(set) var result: Result = .complete
  /// Invoices that were new.
  public internal(set) var inserted = 0
  /// Invoices that had changed.
  public internal(set) var updated = 0
  /// Invoices that were read again and had not changed.
  public internal(set) var unchanged = 0
  /// Invoices that the server says are deleted now.
  public internal(set) var deleted = 0
  /// Pages that were stored.
  public internal(set) var pages = 0
  /// Requests to the provider, retries included.
  public internal(set) var requests = 0
  /// Requests that were repeated.
  public internal(set) var retries = 0
  /// Time spent waiting before repeats.
  public internal(set) var waited: Duration = .zero
  /// The newest change that was known before.
  public internal(set) var watermarkBefore: Timestamp?
  /// The newest change that is known now.
  public internal(set) var watermarkAfter: Timestamp?
  /// When to come back, where the server said so.
  public internal(set) var retryAt: Timestamp?
  /// Rows that could not be read.
  public internal(set) var failures: [RowFailure] = []
  /// How long the run took.
  public internal(set) var duration: Duration = .zero

  init(account: String, provider: String) {
    self.account = account
    self.provider = provider
  }
}

/// How far a run has got, for a progress display.
public struct SyncProgress: Sendable {
  /// Pages that are stored.
  public let pages: Int
  /// Invoices that were read in this run.
  public let invoices: Int
}
