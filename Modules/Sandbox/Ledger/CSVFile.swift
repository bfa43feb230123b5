import Foundation

/// A table in a file, whose errors name the file, the line and the column.
struct CSVFile {
  struct Row {
    let path: String
    fileprivate let row: LedgerTable.Row
    fileprivate let columns: Set<String>

    var line: Int { row.line }

    /// Returns the text of a column; `nil` if the table lacks the column or the row lacks the
    /// value.
    func optional(_ column: String) -> String? { row[column] }

    func text(_ column: String) throws -> String {
      try required(column) { $0 }
    }

    func required<Value>(_ column: String, _ read: (String) -> Value?) throws -> Value {
      guard columns.contains(column) else { throw unreadable("there is no column \(column)") }
      guard let value = try value(column, read) else { throw unreadable("\(column) is empty") }
      return value
    }

    func value<Value>(_ column: String, _ read: (String) -> Value?) throws -> Value? {
      guard let text = row[column], !text.isEmpty else { return nil }
      guard let value = read(text) else { throw unreadable("\(column) cannot be read") }
      return value
    }

    func unreadable(_ reason: String) -> SandboxError {
      .unreadableFile(path: path, line: row.line, reason: reason)
    }
  }

  let path: String
  let rows: [Row]

  init(_ url: URL) throws {
    let path = url.path(percentEncoded: false)
    do {
      let table = try LedgerTable(Array(Data(contentsOf: url)))
      rows = table.rows.map { Row(path: path, row: $0, columns: table.columns) }
    } catch let malformed as LedgerTable.Malformed {
      throw SandboxError.unreadableFile(path: path, line: malformed.line, reason: malformed.reason)
    } catch {
      throw SandboxError.unreadableFile(
        path: path, line: nil, reason: "the file cannot be read (\(error.localizedDescription))")
    }
    self.path = path
  }
}
