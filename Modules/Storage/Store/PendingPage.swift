public import Models

/// A page that was read but is not stored yet.
///
/// Its records, deletions and checkpoint are committed in one transaction.
package struct PendingPage: Sendable {
  /// The organisation whose records these are; see ``Resumption/source``.
  package let source: String
  /// The sign-in with which the page was read, as ``AccountOwner/login``; `nil` keeps the stored
  /// one.
  package var login: String?
  /// The addresses of the provider's lists, as ``AccountOwner/addresses``.
  package var addresses: [Resource: String] = [:]
  /// The time that is recorded with the stored rows.
  package var instant: Timestamp
  /// The records.
  package var records = EncodedRecords()
  /// The records that the server says are deleted.
  package var removals: [Removal] = []
  /// The records that exist but could not be read.
  package var unreadable: [UnreadableRow] = []
  /// The number of records that could not be read, including those without an identifier.
  package var failureCount = 0
  /// True if the page is part of a complete sweep, so that its records are marked as seen.
  package var isSweep = false
  /// The checkpoint at which a later run resumes; `nil` keeps the stored one.
  package var checkpoint: [UInt8]?
  /// The newest change on the page.
  package var newest: Timestamp?
  /// The newest change that is known once the page is stored.
  package var watermark: Timestamp?
  /// True if a pass through the changes is complete with this page, unless a record of it could not
  /// be read for the first time.
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
  /// The time of the deletion; `nil` if the server does not state it.
  ///
  /// A record that has changed since then was created again.
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
  /// The record's own version, or the time of its last change in microseconds since 1970; `nil` if
  /// neither is known.
  ///
  /// A record that is stored in the same version is not fetched again.
  public let order: Int64?

  /// Creates a version.
  public init(id: String, order: Int64?) {
    self.id = id
    self.order = order
  }
}
