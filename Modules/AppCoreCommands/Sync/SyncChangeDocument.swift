import Storage

/// The change that a dry run reports for one record.
struct SyncChangeDocument: Encodable {
  struct Field: Encodable {
    let field: String
    let old: Nullable<String>
    let new: Nullable<String>

    init(_ change: FieldChange) {
      field = change.field
      old = Nullable(change.old)
      new = Nullable(change.new)
    }
  }

  let id: String
  let change: String
  /// The fields that differ from the stored record; empty for a new record.
  let fields: [Field]
  /// Number of further fields that differ.
  let omittedFields: Int

  init(_ change: RecordChange) {
    id = change.id
    self.change = change.kind.rawValue
    fields = change.fields.map(Field.init)
    omittedFields = change.omittedFields
  }

  /// The record, with a line for each of its first fields.
  var text: String {
    let told = fields.prefix(10)
    let others = fields.count - told.count + omittedFields
    var lines = ["  \(change)  \(printable(id))"]
    lines += told.map { field in
      "    \(printable(field.field)): \(Self.shown(field.old)) → \(Self.shown(field.new))"
    }
    if others > 0 { lines.append("    and \(others) more fields") }
    return lines.joined(separator: "\n")
  }

  private static func shown(_ value: Nullable<String>) -> String {
    value.value.map { $0.isEmpty ? "\"\"" : printable($0) } ?? "-"
  }
}
