import Documents
import Storage

extension SyncChangeDocument {
  /// The record on one line with its only change, or with a line for each of its first changes.
  var text: String {
    // The time of change differs with every other field, so it is left out beside one.
    let shownFields = fields.filter { $0.field != "updatedAt" || fields.count == 1 }
    let name = number.value ?? String(id.prefix(LocalDatabase.shortestPrefix))
    let names = [name, contact.value].compactMap(\.self).filter { !$0.isEmpty }
    let line = "  " + ([verb] + names.map { printable($0) }).joined(separator: "  ")
    let others = shownFields.count - 10 + omittedFields
    let changes = shownFields.prefix(10).map { field in
      "\(printable(field.field)) \(Self.shown(field.old)) → \(Self.shown(field.new))"
    }
    if changes.count == 1, omittedFields == 0 { return line + "  " + changes[0] }
    return
      ([line] + changes.map { "    " + $0 }
      + (others > 0 ? ["    and \(others) more fields"] : [])).joined(separator: "\n")
  }

  private var verb: String {
    switch change {
    case RecordChange.Kind.inserted.rawValue: "add   "
    case RecordChange.Kind.deleted.rawValue: "delete"
    default: "change"
    }
  }

  private static func shown(_ value: Nullable<String>) -> String {
    value.value.map { $0.isEmpty ? "\"\"" : printable($0) } ?? "-"
  }
}
