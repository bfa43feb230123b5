package import Models
package import Storage

/// One page of records, and where to go on.
package struct FeedPage<Record: Sendable, Place: Sendable>: Sendable {
  /// The records that could be read.
  package var records: [Record] = []
  /// The records that could not.
  package var failures: [RowFailure] = []
  /// Records that the server says are deleted.
  package var removals: [Removal] = []
  /// Of a list of versions, in place of records: what there is.
  package var versions: [RecordVersion] = []
  /// The identifiers of records that are only named, or not there as a whole, for
  /// ``ResourceFeed/completing(_:at:_:)`` to ask for.
  package var unfinished: [String] = []
  /// The newest change on it, but for what is dated ahead of the server's clock.
  package var newest: Timestamp?
  /// Where the next page is; `nil` at the end of the list.
  package var next: Place?
  /// Where a later run begins when everything up to this page is stored.
  package var resume: Place

  package init(resume: Place) {
    self.resume = resume
  }
}

/// The server does not know a place any more, so that the list has to be read from its start.
package struct PlaceExpired: Error {
  package init() {}
}
