import GRDB
import Models

/// The numbers of rows that a page or a run has changed.
public struct ChangeCounts: Sendable, Equatable {
  /// The number of new rows.
  public var inserted = 0
  /// The number of rows that had changed.
  public var updated = 0
  /// The number of rows that had not changed, or were older than the stored ones.
  public var unchanged = 0
  /// The number of rows that are deleted.
  public var deleted = 0

  /// True if a stored row is other than before.
  var hasChanges: Bool { inserted + updated + deleted > 0 }

  /// Creates counts of zero.
  public init() {}

  /// Adds counts.
  public static func += (left: inout ChangeCounts, right: ChangeCounts) {
    left.inserted += right.inserted
    left.updated += right.updated
    left.unchanged += right.unchanged
    left.deleted += right.deleted
  }

  /// Returns the difference between two counts.
  public static func - (left: ChangeCounts, right: ChangeCounts) -> ChangeCounts {
    var difference = ChangeCounts()
    difference.inserted = left.inserted - right.inserted
    difference.updated = left.updated - right.updated
    difference.unchanged = left.unchanged - right.unchanged
    difference.deleted = left.deleted - right.deleted
    return difference
  }
}

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

/// The values of a stored record at one moment, to compare with its later ones.
struct RecordSnapshot {
  private let values: [FieldValues.Value]

  /// - Returns: `nil` if there is no such row, or it holds a value that cannot be read: the record
  ///   that is written over it is right in any case.
  init?(_ table: (some RecordTable).Type, row: Int64, _ db: Database) {
    guard let record = try? table.record(row, db) else { return nil }
    let reason = try? String.fetchOne(
      db, sql: "SELECT deleted_reason FROM \(table.name) WHERE row = ?", arguments: [row])
    var values = FieldValues(of: record)
    values.add(reason ?? nil, as: "deletedReason")
    self.values = values.values
  }

  /// The number of an invoice.
  var number: String? { text("number") }

  /// The name of an invoice's contact, or of a contact itself.
  var contact: String? { text("contact.name") ?? text("name") }

  private func text(_ field: String) -> String? {
    values.first { $0.field == field }.flatMap(\.text)
  }

  /// Returns the fields that differ in another snapshot.
  func changes(to other: RecordSnapshot) -> [FieldChange] {
    let texts = Self.texts(other.values)
    let names = Set(values.map(\.field))
    let found =
      values.map { ($0, $0.text, texts[$0.field] ?? nil) }
      + other.values.filter { !names.contains($0.field) }.map { ($0, nil, $0.text) }
    // If a list has gained or lost elements, its elements cannot be compared one by one.
    let resized = Set(found.lazy.filter { $1 != $2 }.map(\.0.field))
    return found.filter { value, old, new in
      old != new && value.list.map { !resized.contains($0) } ?? true
    }.map { FieldChange(field: $0.field, old: Self.cut($1), new: Self.cut($2)) }
  }

  private static func texts(_ values: [FieldValues.Value]) -> [String: String?] {
    Dictionary(values.map { ($0.field, $0.text) }) { first, _ in first }
  }

  /// Truncates a long text; two texts that differ only after the cut are still reported.
  private static func cut(_ text: String?) -> String? {
    text.map { $0.count <= 200 ? $0 : $0.prefix(200) + "…" }
  }
}
