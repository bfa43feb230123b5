import Foundation
import Storage

/// What a run leaves behind for the next one: its cursor, and whether a pass through the whole list is
/// under way.
struct Checkpoint<Cursor: Codable & Sendable & Equatable>: Codable, Equatable {
  /// What is being read.
  enum Pass: String, Codable {
    /// What has changed.
    case changes
    /// Everything, into an empty table.
    case first
    /// Everything, marking what is seen, so that the rest can be deleted at the end.
    case sweep
  }

  /// Why the next run begins a pass anew rather than go on with it.
  enum Restart: String, Codable {
    /// Nothing of it is stored yet.
    case unread
    /// It repeats one that was interrupted, and is worth something only where it is not.
    case repetition
  }

  var cursor: Cursor
  var pass: Pass
  /// Whether a later run goes on at the cursor, or where not, why.
  var restart: Restart?
  /// Where the first record stands that could not be read: later runs have to meet it again.
  var unreadable: Cursor?
  /// Whether one of those had no identifier that could be read: what a sweep has not seen may be that
  /// one, and is not deleted.
  var hidesRecords: Bool?

  /// The bytes that are stored.
  var encoded: [UInt8] { get throws { Array(try JSONEncoder().encode(self)) } }

  init(cursor: Cursor, pass: Pass, restart: Restart? = nil) {
    self.cursor = cursor
    self.pass = pass
    self.restart = restart
  }

  /// The same at another cursor, for whoever goes on: what could not be read is not forgotten.
  func continued(at cursor: Cursor) -> Checkpoint {
    var checkpoint = self
    checkpoint.cursor = cursor
    return checkpoint
  }

  /// What an earlier run left; `nil` where there was none, or this version cannot read it: then the
  /// list is read from its start.
  init?(_ resumption: Resumption?) {
    guard let resumption else { return nil }
    let data = Data(resumption.checkpoint)
    if let checkpoint = try? JSONDecoder().decode(Self.self, from: data) {
      self = checkpoint
    } else if let cursor = try? JSONDecoder().decode(Cursor.self, from: data) {
      // The first version stored the cursor alone, and a first pass went on as one for changes.
      self.init(cursor: cursor, pass: .changes)
    } else {
      return nil
    }
  }
}
