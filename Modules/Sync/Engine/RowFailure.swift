/// One record that could not be read; the others of its page are not affected.
public struct RowFailure: Sendable, Equatable {
  /// The record's identifier, where at least that could be read.
  public let id: String?
  /// Where in the record, such as `LineItems[2].Quantity`.
  public let path: String
  /// What is wrong there.
  public let reason: String

  /// Creates a failure.
  public init(id: String?, path: String, reason: String) {
    self.id = id
    self.path = path
    self.reason = reason
  }
}
