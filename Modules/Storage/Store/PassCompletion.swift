package import Models

/// The end of a pass through the whole list, as it is stored.
package struct PassCompletion: Sendable {
  let instant: Timestamp
  /// The checkpoint that a later run begins at.
  package var checkpoint: [UInt8] = []
  /// The newest change that is known.
  package var watermark: Timestamp?
  /// True if the pass left nothing out.
  package var isComplete = false
  /// True if records that a sweep has not seen count as deleted.
  package var deletesUnseen = false
  /// The largest percentage of the stored records that may be deleted.
  package let maximumDeletedPercent: Int

  /// - Parameter instant: the time that is recorded with deletions.
  package init(instant: Timestamp, maximumDeletedPercent: Int) {
    self.instant = instant
    self.maximumDeletedPercent = maximumDeletedPercent
  }
}

/// The deletions at the end of a complete sweep.
package struct SweepOutcome: Sendable, Equatable {
  /// The number of records that are deleted.
  package let deleted: Int
  /// The number of records before the deletions, not counting those deleted earlier.
  package let of: Int
  /// The records that would be deleted; of a dry run only, at most as many as it reports.
  package internal(set) var changes: [RecordChange] = []
  /// True if the deletions are too many; only a dry run reports them all the same.
  package internal(set) var isExcessive = false
  /// True if the deletions were too many, so that nothing was deleted.
  package private(set) var isRefused = false

  init(deleted: Int, of total: Int) {
    self.deleted = deleted
    of = total
  }

  /// The number of deletions that are always allowed unless none are: one of three is no mass
  /// deletion.
  private static let alwaysAllowed = 5

  func isWithin(percent: Int) -> Bool {
    deleted <= (percent > 0 ? Self.alwaysAllowed : 0) || deleted * 100 <= of * percent
  }

  var refused: SweepOutcome {
    var outcome = self
    outcome.isRefused = true
    return outcome
  }
}
