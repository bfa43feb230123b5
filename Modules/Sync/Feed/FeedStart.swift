public import Models

/// The cursor that a run wants to begin at.
public enum FeedStart<Cursor: Sendable>: Sendable {
  /// The very start of the list, after a sign-in: the feed asks the server whose records it reads,
  /// whatever an earlier run knew; that only says which one of several organisations is meant.
  case signIn(known: Cursor?)
  /// The very start of the list; of the same organisation as an earlier run's, where there was one.
  case everything(known: Cursor?)
  /// What has changed since an earlier run reached the end of the list.
  case changes(after: Cursor)
  /// The cursor at which an earlier run was interrupted.
  case continuing(Cursor)
  /// What has changed since an instant that the user names.
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
  /// The pass cannot have missed a record, whatever has changed meanwhile; nothing has to be
  /// counted.
  case notNeeded
  /// The server counts so many; if the pass has seen fewer, the list is read once more.
  case records(Int)
  /// The server does not say, so that the list is read once more.
  case unknown
}
