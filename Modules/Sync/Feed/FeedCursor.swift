public import Models

/// A position in a list.
///
/// The engine stores it with every page, as JSON, so that the next run can resume there.
public protocol FeedCursor: Codable, Sendable, Equatable {
  /// The cursor at which a later run reads an unreadable row again, and all newer ones.
  ///
  /// That is the cursor itself, unless newer rows stand before the row in the list.
  var retryStart: Self { get }

  /// Returns whether a run from a cursor of ``ResourceFeed/begin(_:ask:)`` reads the same first
  /// records as a run from another.
  ///
  /// Runs that end after a number of records would then never make progress.
  func startsAtSameRecord(as other: Self) -> Bool
}

extension FeedCursor {
  /// The cursor itself.
  public var retryStart: Self { self }

  /// Returns whether the cursors are equal.
  public func startsAtSameRecord(as other: Self) -> Bool { self == other }
}

/// The position from which a run wants to read.
public enum FeedStart<Cursor: Sendable>: Sendable {
  /// The very start of the list, after a sign-in.
  ///
  /// The feed asks the server whose records it reads. The known cursor only says which one of
  /// several organisations is meant.
  case signIn(known: Cursor?)
  /// The very start of the list, of the same organisation as an earlier run's, if there was one.
  case everything(known: Cursor?)
  /// The changes since an earlier run reached the end of the list.
  case changes(after: Cursor)
  /// The cursor at which an earlier run was interrupted.
  case continuing(Cursor)
  /// The changes since an instant that the user names.
  case since(Timestamp, known: Cursor?)

  /// The cursor that an earlier run left.
  public var known: Cursor? {
    switch self {
    case .signIn(let known), .everything(let known), .since(_, let known): known
    case .changes(let cursor), .continuing(let cursor): cursor
    }
  }
}

/// The number of records in a list, as the server counts them when a pass through it has ended.
public enum ListCount: Sendable, Equatable {
  /// No count is needed: the pass cannot have missed a record, whatever has changed meanwhile.
  case notNeeded
  /// The number of records on the server; if the pass has seen fewer, the list is read again.
  case records(Int)
  /// The server states no number, so the list is read again.
  case unknown
}
