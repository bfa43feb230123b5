package import Models

/// Where a sync goes on.
package struct Resumption: Sendable, Equatable {
  /// Whose rows the account holds.
  package let source: String
  /// The provider's own checkpoint.
  package let checkpoint: [UInt8]
  /// The newest change that is stored.
  package let watermark: Timestamp?
  /// Whether the run that stored it got to the end of the list.
  package let isComplete: Bool
}
