import Storage

/// What a dry run says of one record.
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
  /// Of a record that is stored: what is not as it is there.
  let fields: [Field]
  /// How many more there are.
  let omittedFields: Int

  init(_ change: RecordChange) {
    id = change.id
    self.change = change.kind.rawValue
    fields = change.fields.map(Field.init)
    omittedFields = change.omittedFields
  }

  /// The record, and a line for each of its first fields.
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
