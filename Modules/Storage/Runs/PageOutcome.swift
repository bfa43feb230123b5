/// What storing a page did, or would do.
package struct PageOutcome: Sendable, Equatable {
  /// How many records of which kind of change.
  package private(set) var counts = ChangeCounts()
  /// The changes one by one; of a trial only.
  package private(set) var changes: [RecordChange] = []
  private let isTrial: Bool

  init(isTrial: Bool) {
    self.isTrial = isTrial
  }

  mutating func count(_ kind: RecordChange.Kind, _ change: () -> RecordChange) {
    switch kind {
    case .inserted: counts.inserted += 1
    case .updated: counts.updated += 1
    case .deleted: counts.deleted += 1
    case .unchanged: counts.unchanged += 1
    }
    if isTrial, kind != .unchanged { changes.append(change()) }
  }
}

/// What became, or would become, of one record.
public struct RecordChange: Sendable, Equatable {
  /// The kinds of change.
  public enum Kind: String, Sendable {
    /// It is new.
    case inserted
    /// It has changed.
    case updated
    /// It is deleted at the server.
    case deleted
    /// It is as it was.
    case unchanged
  }

  /// The provider's identifier of the record.
  public let id: String
  /// What became of it.
  public let kind: Kind
  /// Of a record that is stored: the first of the fields that are not as they are there, at most
  /// ``fieldsLimit``.
  public let fields: [FieldChange]
  /// How many more there are.
  public let omittedFields: Int

  /// How many fields of a record are told one by one.
  public static let fieldsLimit = 50

  package init(id: String, kind: Kind, fields: [FieldChange] = []) {
    self.init(id: id, kind: kind, Array(fields.prefix(Self.fieldsLimit)), of: fields.count)
  }

  private init(id: String, kind: Kind, _ fields: [FieldChange], of count: Int) {
    self.id = id
    self.kind = kind
    self.fields = fields
    omittedFields = count - fields.count
  }

  /// The same without its fields.
  package var withoutFields: RecordChange {
    RecordChange(id: id, kind: kind, [], of: fields.count + omittedFields)
  }
}

/// What a complete sweep has not found any more.
package struct SweepOutcome: Sendable, Equatable {
  /// How many records are deleted.
  package let deleted: Int
  /// How many there were.
  package let of: Int
  /// Which, of a trial; not more than are told.
  package internal(set) var ids: [String] = []
  /// Whether that were too many, so that nothing was deleted.
  package private(set) var isRefused = false

  init(deleted: Int, of total: Int) {
    self.deleted = deleted
    of = total
  }

  /// A few may go, unless none may: one of three is no mass.
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
