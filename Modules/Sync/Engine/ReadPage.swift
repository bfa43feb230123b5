import Models
import Storage

/// A page as it is stored: what a feed has read, with its records encoded already.
struct ReadPage<Cursor: Sendable>: Sendable {
  var records: EncodedRecords
  var failures: [RowFailure]
  let removals: [Removal]
  let versions: [RecordVersion]
  let newest: Timestamp?
  let next: Cursor?
  let resume: Cursor

  init<Record>(_ page: FeedPage<Record, Cursor>, records: EncodedRecords) {
    self.records = records
    failures = page.failures
    removals = page.removals
    versions = page.versions
    newest = page.newest
    next = page.next
    resume = page.resume
  }

  /// Those of the records that were asked for that the answer does not tell of: that they are gone nobody
  /// has said.
  func unanswered(of ids: [String]) -> [RowFailure] {
    RowFailure.unanswered(of: ids, records.entries.map(\.id), removals, failures)
  }
}
