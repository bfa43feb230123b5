import Foundation
import Storage

/// The state that a run leaves for the next one: its cursor and the pass in progress.
struct Checkpoint<Cursor: FeedCursor>: Codable, Equatable {
  /// The kinds of passes through a list.
  enum Pass: String, Codable {
    /// A pass through what has changed.
    case changes
    /// A pass through everything, into an empty table.
    case first
    /// A pass through everything that marks what is seen, so that the rest can be deleted at the
    /// end.
    case sweep
  }

  /// The reasons why the next run restarts a pass instead of resuming it.
  enum Restart: String, Codable {
    /// Nothing of the pass is stored yet.
    case unread
    /// The pass repeats an interrupted one, and is valid only if a single run reads the whole list.
    case repetition
  }

  var cursor: Cursor
  var pass: Pass
  /// The reason why a later run does not resume at the cursor; `nil` if it does.
  var restart: Restart?
  /// The cursor of the first record that could not be read; later runs have to read that record
  /// again.
  var unreadable: Cursor?
  /// True if a record that could not be read had no identifier either.
  ///
  /// Any record that a sweep has not seen may be that one, so the sweep deletes none.
  var hasUnidentified: Bool?
  /// The address of the list, as ``FeedTraits/addresses``; absent if the provider states none.
  var address: String?
  /// The time zone of the stored days, as ``FeedTraits/timeZone``; absent if the configuration
  /// names none.
  var timeZone: String?

  /// The encoded checkpoint, as it is stored.
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

  /// Returns true if a cursor of this checkpoint belongs to the list at an address.
  func belongs(toListAt address: String?) -> Bool {
    self.address == nil || address == nil || self.address == address
  }

  /// Returns a copy with another cursor, for a run that resumes this checkpoint.
  ///
  /// The copy keeps the cursor of the first record that could not be read.
  func continued(at cursor: Cursor) -> Checkpoint {
    var checkpoint = self
    checkpoint.cursor = cursor
    return checkpoint
  }
}
