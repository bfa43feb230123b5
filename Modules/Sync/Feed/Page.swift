public import ErrorCodes
public import Foundation
public import Models
public import Storage

/// One page of a list, and the cursor of the next page.
///
/// A feed returns a page of records, `Page<[Invoice], Cursor>`. The engine then replaces the
/// records by their encoded form.
public struct Page<Records: Sendable, Cursor: Sendable>: Sendable {
  /// The records that could be read; the engine stores a record once, even if it is on several
  /// pages.
  public var records: Records
  /// The records that could not be read.
  public var failures: [RowFailure] = []
  /// The records that the server says are deleted.
  public var removals: [Removal] = []
  /// The identifiers and versions of the records, if the list holds these instead of records.
  public var versions: [RecordVersion] = []
  /// The identifiers of records that the page only names or holds in part;
  /// ``ResourceFeed/complete(_:at:ask:)`` fetches them.
  public var unfinished: [String] = []
  /// The number of records in the list, if the page states it.
  public var total: Int?
  /// True if ``total`` leaves out what was last changed before the cursor's time.
  public var isTotalOfRest = false
  /// The scope without which the records lack a part, if the login lacks it.
  public var missingScope: String?
  /// The newest change on the page, ignoring rows dated ahead of the server's clock.
  public var newest: Timestamp?
  /// The cursor of the next page; `nil` at the end of the list.
  public var next: Cursor?
  /// The cursor at which a later run begins once everything up to this page is stored.
  public var resume: Cursor

  /// Creates a page that is the last one.
  public init(records: Records, resume: Cursor) {
    self.records = records
    self.resume = resume
  }

  /// Creates a page without records that is the last one.
  public init<Record>(resume: Cursor) where Records == [Record] {
    self.init(records: [], resume: resume)
  }

  func with<Other: Sendable>(_ records: Other) -> Page<Other, Cursor> {
    var page = Page<Other, Cursor>(records: records, resume: resume)
    page.failures = failures
    page.removals = removals
    page.versions = versions
    page.unfinished = unfinished
    page.total = total
    page.isTotalOfRest = isTotalOfRest
    page.missingScope = missingScope
    page.newest = newest
    page.next = next
    return page
  }
}

/// An error for a cursor that the server no longer knows: the list has to be read from its start.
///
/// The engine then reads the list from its start; only a caller of a feed sees this error.
public struct CursorExpired: CodedError, LocalizedError {
  /// Creates the error.
  public init() {}

  /// The code of the cause, which a run has if the server knows no other cursor either.
  public var code: ErrorCode { ResourceSync.listNotFound.code }

  /// A sentence for the user.
  public var description: String { "the server no longer knows the cursor in its list" }

  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The step that solves the problem.
  public var recoverySuggestion: String? { "Read the list from its start." }
}

/// One record that could not be read; the other records of its page are not affected.
public struct RowFailure: Sendable, Hashable {
  /// The record's identifier; `nil` if not even that could be read.
  public let id: String?
  /// The place in the record, such as `LineItems[2].Quantity`.
  public let path: String
  /// The problem at that place.
  public let reason: String

  /// Creates a failure.
  public init(id: String?, path: String, reason: String) {
    self.id = id
    self.path = path
    self.reason = reason
  }

  /// Returns a failure for each requested record that a response does not mention.
  ///
  /// The server has not said that such a record is deleted.
  ///
  /// - Parameter key: the key of the configuration with the address of a record, if it has one.
  static func unanswered(
    of ids: [String], at key: String?, records: [String], removals: [Removal],
    failures: [RowFailure]
  ) -> [RowFailure] {
    // A failure without an identifier may concern any of them.
    guard failures.allSatisfy({ $0.id != nil }) else { return [] }
    let mentioned = Set(records + removals.map(\.id) + failures.compactMap(\.id))
    return ids.filter { !mentioned.contains($0) }.map {
      RowFailure(
        id: $0, path: "id",
        reason: "it is listed, but the provider does not return it"
          + (key.map { "; if this is so of every record, correct \($0)" } ?? ""))
    }
  }
}
