import Foundation
import Storage

/// What a run leaves for the next one: its cursor, and the pass that is under way.
struct Checkpoint<Cursor: Codable & Sendable & Equatable>: Codable, Equatable {
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

  /// The reasons for which the next run begins a pass anew in place of going on with it.
  enum Restart: String, Codable {
    /// Nothing of it is stored yet.
    case unread
    /// It repeats one that was interrupted, and proves something only when it is read in one piece.
    case repetition
  }

  var cursor: Cursor
  var pass: Pass
  /// The reason for which a later run does not go on at the cursor; `nil` where it does.
  var restart: Restart?
  /// The cursor of the first record that could not be read: later runs have to meet it again.
  var unreadable: Cursor?
  /// Whether a record that could not be read had no identifier either: any that a sweep has not
  /// seen may be that one, so that none is deleted.
  var hasUnidentified: Bool?

  /// The bytes that are stored.
  var encoded: [UInt8] { get throws { Array(try JSONEncoder().encode(self)) } }

  init(cursor: Cursor, pass: Pass, restart: Restart? = nil) {
    self.cursor = cursor
    self.pass = pass
    self.restart = restart
  }

  /// Reads what an earlier run left; `nil` where there was none, or this version cannot read it:
  /// then the list is read from its start.
  init?(_ resumption: Resumption?) {
    guard let resumption,
      let checkpoint = try? JSONDecoder().decode(Self.self, from: Data(resumption.checkpoint))
    else { return nil }
    self = checkpoint
  }

  /// Returns the same at another cursor, for a run that goes on: what could not be read is not
  /// forgotten.
  func continued(at cursor: Cursor) -> Checkpoint {
    var checkpoint = self
    checkpoint.cursor = cursor
    return checkpoint
  }
}
