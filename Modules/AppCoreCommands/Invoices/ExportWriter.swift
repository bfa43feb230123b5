import Models
import Storage

/// One form in which invoices are exported, written piece by piece.
protocol ExportWriter: Sendable {
  var beginning: String { get }
  func text(of stored: StoredInvoice, isFirst: Bool) -> String
  func end(isEmpty: Bool) -> String
}

/// One document with all of them, as ``JSONText`` writes those that are not too long to be held.
struct JSONExport: ExportWriter {
  let isPretty: Bool

  var beginning: String { isPretty ? "{\n  \"invoices\": [" : #"{"invoices":["# }

  func text(of stored: StoredInvoice, isFirst: Bool) -> String {
    let json = JSONLinesExport.json(stored)
    return (isFirst ? "" : ",")
      + (isPretty ? "\n    " + JSONText.indented(json, level: 2) : json)
  }

  func end(isEmpty: Bool) -> String {
    guard isPretty else { return #"],"schemaVersion":1}"# + "\n" }
    return (isEmpty ? "" : "\n  ") + "],\n  \"schemaVersion\": 1\n}\n"
  }
}

/// A document for each, on a line of its own.
struct JSONLinesExport: ExportWriter {
  let beginning = ""

  func text(of stored: StoredInvoice, isFirst: Bool) -> String { Self.json(stored) + "\n" }

  func end(isEmpty: Bool) -> String { "" }

  static func json(_ stored: StoredInvoice) -> String { JSONText.encode(InvoiceDocument(stored)) }
}
