import Documents
import Models
import Storage

/// One JSON document with all contacts.
struct ContactJSONExport: ExportWriter {
  let isPretty: Bool
  private var frame: JSONFrame { JSONFrame(name: "contacts", isPretty: isPretty) }

  var beginning: String { frame.beginning }

  func text(of stored: StoredContact, isFirst: Bool) -> String {
    frame.element(ContactDocument(stored), isFirst: isFirst)
  }

  func end(isEmpty: Bool) -> String { frame.end(isEmpty: isEmpty) }
}

/// One JSON document per contact, each on its own line.
struct ContactJSONLinesExport: ExportWriter {
  let beginning = ""

  func text(of stored: StoredContact, isFirst: Bool) -> String {
    JSONText.encode(ContactDocument(stored)) + "\n"
  }

  func end(isEmpty: Bool) -> String { "" }
}
