import Foundation
import Models
import Storage

/// The state that a run leaves for the next one: its cursor and the pass in progress.
struct Checkpoint<Cursor: FeedCursor>: Codable, Equatable {
  /// The kinds of passes through a list.
  enum Pass: String, Codable {
    case changes
    /// A pass through everything, into an empty table.
    case first
    /// A pass through everything that marks what is seen, so that the rest can be deleted at the
    /// end.
    case sweep
  }

  /// The reasons why the next run restarts a pass instead of resuming it.
  enum Restart: String, Codable {
    case unread
    /// The pass repeats an interrupted one, and is valid only if a single run reads the whole list.
    case repetition
  }

  var cursor: Cursor
  var pass: Pass
  /// The reason why a later run does not resume at the cursor; `nil` if it does.
  var restart: Restart?
  /// The cursor of the first record that could not be read and is not remembered, because nothing
  /// names it; later runs have to read that record again.
  var unreadable: Cursor?
  /// The next reading of the records that could not be read and are remembered; `nil` if there are
  /// none.
  var retry: UnreadableRetry<Cursor>?
  /// True if a record that could not be read had no identifier either.
  ///
  /// Any record that a sweep has not seen may be that one, so the sweep deletes none.
  var hasUnidentified: Bool?
  /// The address of the list, as ``FeedTraits/addresses``; absent if the provider states none.
  var address: String?
  /// The time zone of the stored days, as ``FeedTraits/timeZone``; absent if the configuration
  /// names none.
  var timeZone: String?
  /// The reason why the pass in progress reads every record again, whatever its version; absent if
  /// there is none.
  var rereading: SyncReport.Rereading?
  /// The version of what read the stored records, as ``FeedTraits/reader``; absent in checkpoints
  /// of an earlier version.
  var reader: String?

  var encoded: [UInt8] { get throws { Array(try JSONEncoder().encode(self)) } }

  init(cursor: Cursor, pass: Pass, restart: Restart? = nil) {
    self.cursor = cursor
    self.pass = pass
    self.restart = restart
  }

  /// Decodes what an earlier run left; `nil` if there is nothing, or this version cannot decode it.
  ///
  /// Without a checkpoint, the run reads the list from its start.
  init?(_ resumption: Resumption?) {
    guard let resumption,
      let checkpoint = try? JSONDecoder().decode(Self.self, from: Data(resumption.checkpoint))
    else { return nil }
    self = checkpoint
  }

  func belongs(toListAt address: String?) -> Bool {
    self.address == nil || address == nil || self.address == address
  }

  /// Returns what has changed since about the reading of a list, so that stored values may be
  /// wrong; `nil` if nothing has.
  func rereading(for traits: FeedTraits) -> SyncReport.Rereading? {
    if let reader, reader != traits.reader { return .description }
    return timeZone == traits.timeZone ? nil : .timeZone
  }

  /// Notes the records of a page that could not be read, at the cursor before the page.
  mutating func note(_ failures: [RowFailure], reader: String) {
    if failures.contains(where: { $0.id == nil }) {
      hasUnidentified = true
      unreadable = unreadable ?? cursor.retryStart
    }
    // One that is noted already stands before this page.
    if failures.contains(where: { $0.id != nil }), retry == nil {
      retry = UnreadableRetry(cursor: cursor.retryStart, reader: reader)
    }
  }

  /// Returns a copy with another cursor, for a run that resumes this checkpoint.
  ///
  /// The copy keeps the cursor of the first record that could not be read. If a pass that was
  /// interrupted has found it, the run itself reads it again.
  func continued(at cursor: Cursor) -> Checkpoint {
    var checkpoint = self
    checkpoint.cursor = cursor
    if let retry, retry.notBefore == nil {
      checkpoint.unreadable = checkpoint.unreadable ?? retry.cursor
      checkpoint.retry = nil
    }
    return checkpoint
  }
}

/// The next reading of records that could not be read, though nothing at the provider changes.
///
/// A record is listed again when it changes. But a server may also correct what it sends, or fail
/// for a while, and another version of appcore may read more.
struct UnreadableRetry<Cursor: FeedCursor>: Codable, Equatable {
  /// The cursor of the first of them.
  let cursor: Cursor
  /// The version of appcore and of ``FeedTraits/reader`` that could not read them.
  let reader: String
  /// The time from which a run reads them again; `nil` during the pass that found them.
  private(set) var notBefore: Timestamp?

  /// - Parameter failedAt: the time at which they could not be read again; `nil` if they were found
  ///   first.
  init(cursor: Cursor, reader: String, failedAt: Timestamp? = nil) {
    self.cursor = cursor
    self.reader = reader
    notBefore = failedAt.map(Self.later)
  }

  private static var interval: Int64 { 24 * 60 * 60 * 1_000_000 }

  /// Returns whether a run reads the records again.
  func isDue(at now: Timestamp, for reader: String) -> Bool {
    guard let notBefore else { return false }
    let wait = notBefore.microsecondsSinceEpoch - now.microsecondsSinceEpoch
    // A clock that was set back must not postpone it for years.
    return reader != self.reader || !(1...Self.interval).contains(wait)
  }

  /// Plans the reading at the end of a pass: in the next run, if a record could not be read for the
  /// first time, because that is often over by then; else a day after it failed again.
  mutating func plan(hasNews: Bool, at now: Timestamp) {
    if hasNews {
      notBefore = now
    } else if notBefore == nil {
      notBefore = Self.later(now)
    }
  }

  private static func later(_ now: Timestamp) -> Timestamp {
    Timestamp(microsecondsSinceEpoch: now.microsecondsSinceEpoch + interval)
  }
}
