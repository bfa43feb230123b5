import Models
import Storage

/// A format for a list or an export of invoices, written piece by piece.
protocol ExportWriter: Sendable {
  var beginning: String { get }
  func text(of stored: StoredInvoice, isFirst: Bool) -> String
  func end(isEmpty: Bool) -> String
}

extension ExportWriter {
  /// Writes the invoices that a query finds, as they are read; none if there is no database yet.
  ///
  /// - Parameter shown: the filter for text on a terminal.
  func write(
    _ query: InvoiceQuery, of database: LocalDatabase?, to console: Console,
    shown: @escaping @Sendable (String) -> String
  ) async throws {
    let output = BufferedOutput(console, shown: shown)
    do {
      output.add(beginning)
      try await database?.forEachInvoice(matching: query) { invoice in
        try output.write(text(of: invoice, isFirst: output.count() == 1))
      }
      output.add(end(isEmpty: output.count() == 1))
      try await output.finish()
    } catch is ReaderLeft {
      // The reader wants no more, as after `| head`.
    }
  }
}

/// One JSON document with all invoices, formatted like ``JSONText`` but never held in memory whole.
struct JSONExport: ExportWriter {
  let isPretty: Bool
  /// True if each invoice has its lines and other parts.
  var withLines = true

  var beginning: String { isPretty ? "{\n  \"invoices\": [" : #"{"invoices":["# }

  func text(of stored: StoredInvoice, isFirst: Bool) -> String {
    let json = JSONText.encode(InvoiceDocument(stored, withLines: withLines))
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

  func text(of stored: StoredInvoice, isFirst: Bool) -> String {
    JSONText.encode(InvoiceDocument(stored)) + "\n"
  }

  func end(isEmpty: Bool) -> String { "" }
}
