package import Models

/// The end of a pass through the whole list.
package struct PassEnd: Sendable {
  let account: String
  let run: RunID?
  let instant: Timestamp
  /// Where a later run begins.
  package var checkpoint: [UInt8] = []
  /// The newest change that is known.
  package var watermark: Timestamp?
  /// Whether nothing was left out.
  package var isComplete = false
  /// Whether what a sweep has not seen counts as deleted.
  package var deletesUnseen = false
  /// The largest percentage of what is stored that may be deleted.
  package let maximumDeletedPercent: Int

  /// - Parameter run: the run; `nil` for a trial, which changes nothing.
  package init(
    account: String, run: RunID?, instant: Timestamp, maximumDeletedPercent: Int
  ) {
    self.account = account
    self.run = run
    self.instant = instant
    self.maximumDeletedPercent = maximumDeletedPercent
  }
}
