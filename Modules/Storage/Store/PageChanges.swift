/// The changes that storing a page made, or that a dry run would make.
package struct PageChanges: Sendable, Equatable {
  /// The number of records for each kind of change.
  package private(set) var counts = ChangeCounts()
  /// The changes of each record; of a dry run only.
  package private(set) var changes: [RecordChange] = []
  /// The number of unreadable records that no run has reported in this state.
  package internal(set) var newlyUnreadable = 0
  private let isDryRun: Bool

  init(isDryRun: Bool) {
    self.isDryRun = isDryRun
  }

  mutating func count(_ kind: RecordChange.Kind, _ change: () -> RecordChange) {
    switch kind {
    case .inserted: counts.inserted += 1
    case .updated: counts.updated += 1
    case .deleted: counts.deleted += 1
    case .unchanged: counts.unchanged += 1
    }
    if isDryRun, kind != .unchanged { changes.append(change()) }
  }
}

/// A change of one record that was stored, or would be.
public struct RecordChange: Sendable, Equatable {
  /// The kinds of change.
  public enum Kind: String, Sendable {
    /// The record is new.
    case inserted
    /// The record has changed.
    case updated
    /// The record is deleted at the server.
    case deleted
    /// The record is unchanged.
    case unchanged
  }

  /// The provider's identifier of the record.
  public let id: String
  /// The number, if the record is an invoice that has one.
  public let number: String?
  /// The name of the invoice's contact, or of the contact itself.
  public let contact: String?
  /// The kind of change.
  public let kind: Kind
  /// The first fields that differ from what is stored, at most ``fieldsLimit``; empty for a new
  /// record.
  public let fields: [FieldChange]
  /// The number of further fields that differ.
  public let omittedFields: Int

  /// The largest number of fields that are reported of one record.
  public static let fieldsLimit = 50

  package init(id: String, kind: Kind, fields: [FieldChange] = []) {
    self.init(id: id, kind: kind, fields: fields, number: nil, contact: nil)
  }

  /// Creates the change of a record as it is stored, or would be.
  init(id: String, kind: Kind, fields: [FieldChange] = [], of record: RecordSnapshot?) {
    self.init(
      id: id, kind: kind, fields: fields, number: record?.number, contact: record?.contact)
  }

  private init(id: String, kind: Kind, fields: [FieldChange], number: String?, contact: String?) {
    self.init(
      id: id, kind: kind, Array(fields.prefix(Self.fieldsLimit)), of: fields.count,
      number: number, contact: contact)
  }

  private init(
    id: String, kind: Kind, _ fields: [FieldChange], of count: Int, number: String?,
    contact: String?
  ) {
    self.id = id
    self.number = number
    self.contact = contact
    self.kind = kind
    self.fields = fields
    omittedFields = count - fields.count
  }

  /// The same change without its fields.
  package var withoutFields: RecordChange {
    RecordChange(
      id: id, kind: kind, [], of: fields.count + omittedFields, number: number, contact: contact)
  }
}

/// One field of a record that differs from what is stored.
public struct FieldChange: Sendable, Equatable {
  /// The field, such as `amountDue`, `contact.name` or `lines[0].quantity`; `lines` if the list has
  /// gained or lost elements.
  public let field: String
  /// The stored value; `nil` if there is none.
  public let old: String?
  /// The provider's value; `nil` if there is none.
  public let new: String?
}
