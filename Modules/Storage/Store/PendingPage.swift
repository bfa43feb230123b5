public import Models

/// A page that was read and is not stored yet: records, deletions and checkpoint, which are
/// committed in one transaction.
package struct PendingPage: Sendable {
  /// The organisation whose records these are; see ``Resumption/source``.
  package let source: String
  /// The sign-in that it was read with, as ``AccountOwner/login``; `nil` leaves what is noted.
  package var login: String?
  /// The time that is noted with what is stored.
  package var instant: Timestamp
  /// The records.
  package var records = EncodedRecords()
  /// The records that the server says are deleted.
  package var removals: [Removal] = []
  /// The identifiers of records that are there but could not be read.
  package var unreadable: [String] = []
  /// The number of records that could not be read, those without an identifier among them.
  package var failureCount = 0
  /// Whether it is part of a complete sweep, so that what it holds is marked as seen.
  package var isSweep = false
  /// The checkpoint that a later run goes on from; `nil` leaves what is stored.
  package var checkpoint: [UInt8]?
  /// The newest change on the page.
  package var newest: Timestamp?
  /// The newest change that is known once the page is stored.
  package var watermark: Timestamp?
  /// Whether the list ends here.
  package var isComplete = false

  /// Creates a page without records.
  package init(source: String, instant: Timestamp) {
    self.source = source
    self.instant = instant
  }
}

/// A record that the server says is deleted.
public struct Removal: Sendable, Hashable {
  /// The record's identifier.
  public let id: String
  /// The server's statement, such as `status DELETED`.
  public let reason: String
  /// The time of the deletion; `nil` where the server does not say.
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
  /// The record's own version, or microseconds since 1970 of its last change; `nil` where not
  /// known.
  ///
  /// A record that is stored in the same version is not fetched again.
  public let order: Int64?

  /// Creates a version.
  public init(id: String, order: Int64?) {
    self.id = id
    self.order = order
  }
}
