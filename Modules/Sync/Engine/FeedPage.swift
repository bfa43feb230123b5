public import Models
public import Storage

/// One page of records, and where to go on.
public struct FeedPage<Record: Sendable, Cursor: Sendable>: Sendable {
  /// The records that could be read; one that comes twice, on this page or another, is stored once.
  public var records: [Record] = []
  /// The records that could not.
  public var failures: [RowFailure] = []
  /// Records that the server says are deleted.
  public var removals: [Removal] = []
  /// Of a list of versions, in place of records: what there is.
  public var versions: [RecordVersion] = []
  /// The identifiers of records that are only named, or not there as a whole, for
  /// ``ResourceFeed/completing(_:at:_:)`` to ask for.
  public var unfinished: [String] = []
  /// The newest change on it, but for what is dated ahead of the server's clock.
  public var newest: Timestamp?
  /// Where the next page is; `nil` at the end of the list.
  public var next: Cursor?
  /// Where a later run begins when everything up to this page is stored.
  public var resume: Cursor

  /// Creates a page without records that is the last one.
  public init(resume: Cursor) {
    self.resume = resume
  }
}

/// The server does not know a cursor any more, so that the list has to be read from its start.
public struct CursorExpired: Error {
  /// Creates the error.
  public init() {}
}
