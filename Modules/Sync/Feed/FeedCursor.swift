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
