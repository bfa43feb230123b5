public import Models
public import Storage

/// One page of a list, and the cursor of the next.
///
/// A feed returns a page of records, `Page<[Invoice], Cursor>`. The engine goes on with the same
/// page once its records are encoded as they are stored.
public struct Page<Records: Sendable, Cursor: Sendable>: Sendable {
  /// The records that could be read; one that comes twice, on this page or another, is stored once.
  public var records: Records
  /// The records that could not be read.
  public var failures: [RowFailure] = []
  /// The records that the server says are deleted.
  public var removals: [Removal] = []
  /// The identifiers and versions that a list of versions holds in place of records.
  public var versions: [RecordVersion] = []
  /// The identifiers of records that are only named, or not there as a whole, for
  /// ``ResourceFeed/complete(_:at:ask:)`` to fetch.
  public var unfinished: [String] = []
  /// The number of records in the whole list, where the page says so.
  public var total: Int?
  /// The newest change on it, but for what is dated ahead of the server's clock.
  public var newest: Timestamp?
  /// The cursor of the next page; `nil` at the end of the list.
  public var next: Cursor?
  /// The cursor that a later run begins at when everything up to this page is stored.
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

  /// Returns the page with its records in another form.
  func with<Other: Sendable>(_ records: Other) -> Page<Other, Cursor> {
    var page = Page<Other, Cursor>(records: records, resume: resume)
    page.failures = failures
    page.removals = removals
    page.versions = versions
    page.unfinished = unfinished
    page.total = total
    page.newest = newest
    page.next = next
    return page
  }
}

/// The server does not know a cursor any more, so that the list has to be read from its start.
public struct CursorExpired: Error {
  /// Creates the error.
  public init() {}
}
