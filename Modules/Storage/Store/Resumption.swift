package import Models

/// The state from which the next sync of an account resumes.
package struct Resumption: Sendable, Equatable {
  /// The organisation whose records the account holds.
  package let source: String
  /// The checkpoint of the last run.
  package let checkpoint: [UInt8]
  /// The newest change that is stored.
  package let watermark: Timestamp?
  /// True if the run that stored the checkpoint reached the end of the list.
  package let isComplete: Bool
}
