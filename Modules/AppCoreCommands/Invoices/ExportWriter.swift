import Documents
import Models
import Reports
import Storage

/// A format for a list or an export of records, written piece by piece.
protocol ExportWriter<Record>: Sendable {
  associatedtype Record: Sendable
  var beginning: String { get }
  func text(of record: Record, isFirst: Bool) -> String
  func end(isEmpty: Bool) -> String
}

extension ExportWriter {
  /// Writes the records that `forEach` reads, as they are read.
  ///
  /// - Parameters:
  ///   - shown: the filter for text on a terminal.
  ///   - forEach: calls a function with each record.
  /// - Returns: the number of records.
  func write(
    to console: Console, shown: @escaping @Sendable (String) -> String,
    _ forEach: (_ body: @escaping @Sendable (Record) throws -> Void) async throws -> Void
  ) async throws -> Int {
    let output = BufferedOutput(console, shown: shown)
    do {
      output.add(beginning)
      try await forEach { record in
        try output.write(text(of: record, isFirst: output.count() == 1))
      }
      output.add(end(isEmpty: output.counted == 0))
      try await output.finish()
    } catch is ReaderLeft {
      // The reader wants no more, as after `| head`.
    }
    return output.counted
  }
}

/// Records as CSV.
struct CSVExport<Record: Sendable>: ExportWriter {
  private let table: CSVTable<Record>
  let beginning: String

  init(_ table: CSVTable<Record>) {
    self.table = table
    beginning = table.header
  }

  func text(of record: Record, isFirst: Bool) -> String { table.row(of: record) }

  func end(isEmpty: Bool) -> String { "" }
}

/// One JSON document with all invoices.
struct JSONExport: ExportWriter {
  let isPretty: Bool
  /// True if each invoice has its lines and other parts.
  var withLines = true
  private var frame: JSONFrame { JSONFrame(name: "invoices", isPretty: isPretty) }

  var beginning: String { frame.beginning }

  func text(of stored: StoredInvoice, isFirst: Bool) -> String {
    frame.element(
      json: InvoiceDocumentBytes.json(of: stored, withLines: withLines), isFirst: isFirst)
  }

  func end(isEmpty: Bool) -> String { frame.end(isEmpty: isEmpty) }
}

/// One JSON document per invoice, each on its own line.
struct JSONLinesExport: ExportWriter {
  let beginning = ""

  func text(of stored: StoredInvoice, isFirst: Bool) -> String {
    InvoiceDocumentBytes.json(of: stored) + "\n"
  }

  func end(isEmpty: Bool) -> String { "" }
}
