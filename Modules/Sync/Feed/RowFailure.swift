import Storage

/// One record that could not be read; the other records of its page are not affected.
public struct RowFailure: Sendable, Equatable {
  /// The record's identifier; `nil` if not even that could be read.
  public let id: String?
  /// The place in the record, such as `LineItems[2].Quantity`.
  public let path: String
  /// The problem at that place.
  public let reason: String

  /// Creates a failure.
  public init(id: String?, path: String, reason: String) {
    self.id = id
    self.path = path
    self.reason = reason
  }
}

extension RowFailure {
  /// Returns a failure for each requested record that a response does not mention.
  ///
  /// The server has not said that such a record is deleted.
  static func unanswered(
    of ids: [String], records: [String], removals: [Removal], failures: [RowFailure]
  ) -> [RowFailure] {
    // A failure without an identifier may concern any of them.
    guard failures.allSatisfy({ $0.id != nil }) else { return [] }
    let mentioned = Set(records + removals.map(\.id) + failures.compactMap(\.id))
    return ids.filter { !mentioned.contains($0) }.map {
      RowFailure(id: $0, path: "id", reason: "it is listed, but the provider does not return it")
    }
  }
}
