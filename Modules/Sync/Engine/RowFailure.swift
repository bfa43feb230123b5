import Storage

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

extension RowFailure {
  /// Those of the records that were asked for that an answer does not tell of: that they are gone nobody has
  /// said.
  static func unanswered(
    of ids: [String], _ records: [String], _ removals: [Removal], _ failures: [RowFailure]
  ) -> [RowFailure] {
    // One without an identifier may be any of them.
    guard failures.allSatisfy({ $0.id != nil }) else { return [] }
    let told = Set(records + removals.map(\.id) + failures.compactMap(\.id))
    return ids.filter { !told.contains($0) }.map {
      RowFailure(id: $0, path: "id", reason: "it is listed, and not handed out")
    }
  }
}
