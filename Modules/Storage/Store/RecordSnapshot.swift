import GRDB
import Models

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
