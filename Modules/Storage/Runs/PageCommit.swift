public import Models

/// One page, as it is committed: records, deletions and checkpoint together.
package struct PageCommit: Sendable {
  /// The account.
  package let account: String
  /// Whose records these are; see ``Resumption/source``.
  package let source: String
  /// The run that brings it; `nil` for a trial, which is rolled back.
  package let run: RunID?
  /// The sign-in that it was read with, as ``AccountOwner/login``; `nil` leaves what is noted.
  package var login: String?
  /// When.
  package let instant: Timestamp
  /// The records.
  package var records = EncodedRecords()
  /// What the server says is deleted.
  package var removals: [Removal] = []
  /// The identifiers of records that are there but could not be read.
  package var unreadable: [String] = []
  /// Whether it is part of a complete sweep, so that what it holds is marked as seen.
  package var isSweep = false
  /// Where a later run goes on; `nil` leaves what is stored.
  package var checkpoint: [UInt8]?
  /// The newest change that is known.
  package var watermark: Timestamp?
  /// Whether the list ends here.
  package var isComplete = false
  /// How many requests the run has made.
  package var requests = 0

  /// Creates an empty page.
  package init(account: String, source: String, run: RunID?, instant: Timestamp) {
    self.account = account
    self.source = source
    self.run = run
    self.instant = instant
  }
}

/// A record that the server says is deleted.
public struct Removal: Sendable, Hashable {
  /// The record's identifier.
  public let id: String
  /// By what it says so, such as `status DELETED`.
  public let reason: String
  /// When it was deleted; `nil` where the server does not say.
  ///
  /// A record that has changed since was made again.
  public let instant: Timestamp?

  /// Creates a removal.
  public init(id: String, reason: String, at instant: Timestamp? = nil) {
    self.id = id
    self.reason = reason
    self.instant = instant
  }
}

/// A record as a list of versions names it.
public struct RecordVersion: Sendable, Hashable {
  /// The record's identifier.
  public let id: String
  /// The record's own version, or microseconds since 1970 of its last change; `nil` where not known.
  ///
  /// What is stored in the same one is not fetched again.
  public let order: Int64?

  /// Creates a version.
  public init(id: String, order: Int64?) {
    self.id = id
    self.order = order
  }
}
