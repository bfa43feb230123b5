/// The numbers of rows that a page or a run has changed.
public struct ChangeCounts: Sendable, Equatable {
  /// The number of new rows.
  public var inserted = 0
  /// The number of rows that had changed.
  public var updated = 0
  /// The number of rows that had not changed, or were older than the stored ones.
  public var unchanged = 0
  /// The number of rows that are deleted.
  public var deleted = 0

  /// Creates counts of zero.
  public init() {}

  /// Adds counts.
  public static func += (left: inout ChangeCounts, right: ChangeCounts) {
    left.inserted += right.inserted
    left.updated += right.updated
    left.unchanged += right.unchanged
    left.deleted += right.deleted
  }

  /// Returns the difference between two counts.
  public static func - (left: ChangeCounts, right: ChangeCounts) -> ChangeCounts {
    var difference = ChangeCounts()
    difference.inserted = left.inserted - right.inserted
    difference.updated = left.updated - right.updated
    difference.unchanged = left.unchanged - right.unchanged
    difference.deleted = left.deleted - right.deleted
    return difference
  }
}
