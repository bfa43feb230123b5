public import Models

/// How many rows a page or a run has changed.
public struct ChangeCounts: Sendable, Equatable {
  /// Rows that were new.
  public var inserted = 0
  /// Rows that had changed.
  public var updated = 0
  /// Rows that had not changed, or were older than what is stored.
  public var unchanged = 0
  /// Rows that the server says are deleted now.
  public var deleted = 0

  /// Creates counts of zero.
  public init() {}

  /// Adds counts.
  public static func += (left: inout ChangeCounts, right: ChangeCounts) {
    left.inserted += right.inserted
    left.updated += right.updated
    left.unchanged += right.unchanged
    left.deleted += right.deleted
  }
}

/// Where a sync goes on.
package struct Resumption: Sendable, Equatable {
  /// Whose rows the account holds.
  package let source: String
  /// The provider's own cursor.
  package let cursor: [UInt8]
  /// The newest change that is stored.
  package let watermark: Timestamp?
  /// Whether the run that stored it got to the end of the list.
  package let isComplete: Bool
}

/// What is known of a run when it begins.
package struct RunStart: Sendable {
  let account: String
  let resource: String
  let provider: String
  let mode: String
  let startedAt: Timestamp
  let watermarkBefore: Timestamp?

  package init(
    account: String, resource: String, provider: String, mode: String, startedAt: Timestamp,
    watermarkBefore: Timestamp?
  ) {
    self.account = account
    self.resource = resource
    self.provider = provider
    self.mode = mode
    self.startedAt = startedAt
    self.watermarkBefore = watermarkBefore
  }
}

/// The identity of a run.
package struct RunID: Sendable, Hashable {
  let rawValue: Int64
}

/// One page, as it is committed: rows and cursor together.
package struct PageCommit: Sendable {
  let account: String
  let resource: String
  let source: String
  let invoices: [Invoice]
  let cursor: [UInt8]
  let watermark: Timestamp?
  let isComplete: Bool
  let requests: Int
  let instant: Timestamp

  package init(
    account: String, resource: String, source: String, invoices: [Invoice], cursor: [UInt8],
    watermark: Timestamp?, isComplete: Bool, requests: Int, instant: Timestamp
  ) {
    self.account = account
    self.resource = resource
    self.source = source
    self.invoices = invoices
    self.cursor = cursor
    self.watermark = watermark
    self.isComplete = isComplete
    self.requests = requests
    self.instant = instant
  }
}

/// What is on record of a run.
public struct RunRecord: Sendable {
  /// How a run ended.
  public enum Result: String, Sendable, Codable {
    /// It has not ended.
    case running
    /// It got to the end.
    case complete
    /// It stopped in order before the end.
    case partial
    /// An error ended it.
    case failed
    /// It vanished: killed, or the machine went down.
    case interrupted
  }

  /// How it ended.
  public let result: Result
  /// The provider's name.
  public let provider: String
  /// When it began.
  public let startedAt: Timestamp
  /// When it ended.
  public let endedAt: Timestamp?
  /// What it changed.
  public let counts: ChangeCounts
  /// Pages that it stored.
  public let pages: Int
  /// The newest change before it.
  public let watermarkBefore: Timestamp?
  /// The newest change after it.
  public let watermarkAfter: Timestamp?
}
