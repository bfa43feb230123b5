package import Models

/// What the next sync of an account goes on from.
package struct Resumption: Sendable, Equatable {
  /// The organisation whose records the account holds.
  package let source: String
  /// The checkpoint of the last run.
  package let checkpoint: [UInt8]
  /// The newest change that is stored.
  package let watermark: Timestamp?
  /// Whether the run that stored it reached the end of the list.
  package let isComplete: Bool
}
