import Models
import Storage

/// A format for exporting invoices, written piece by piece.
protocol ExportWriter: Sendable {
  var beginning: String { get }
  func text(of stored: StoredInvoice, isFirst: Bool) -> String
  func end(isEmpty: Bool) -> String
}

/// One JSON document with all invoices, formatted like ``JSONText`` but never held in memory whole.
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

/// One JSON document per invoice, each on its own line.
struct JSONLinesExport: ExportWriter {
  let beginning = ""

  func text(of stored: StoredInvoice, isFirst: Bool) -> String { Self.json(stored) + "\n" }

  func end(isEmpty: Bool) -> String { "" }

  static func json(_ stored: StoredInvoice) -> String { JSONText.encode(InvoiceDocument(stored)) }
}
