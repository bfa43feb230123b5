/// A table of comma-separated values with a header line (RFC 4180).
struct LedgerTable {
  /// The reason why a text is not such a table.
  struct Malformed: Error, Equatable {
    var line: Int
    var reason: String
  }

  /// One record; an unquoted empty field is `nil`, a quoted one is `""`.
  struct Row {
    /// The number of the record's first line, counted from 1.
    var line: Int
    fileprivate var fields: [String?]
    fileprivate var columns: [String: Int]

    subscript(column: String) -> String? {
      columns[column].flatMap { fields[$0] }
    }
  }

  let columns: Set<String>
  let rows: [Row]

  init(_ bytes: [UInt8]) throws(Malformed) {
    var reader = CSVReader(bytes)
    guard let header = try reader.nextRecord() else {
      throw Malformed(line: 1, reason: "there is no header line")
    }
    var positions: [String: Int] = [:]
    for (position, name) in header.fields.enumerated() {
      guard let name, positions.updateValue(position, forKey: name) == nil else {
        throw Malformed(line: 1, reason: "a column has no name or another's")
      }
    }
    var rows: [Row] = []
    while let record = try reader.nextRecord() {
      guard record.fields.count == header.fields.count else {
        throw Malformed(
          line: record.line,
          reason: "there are \(record.fields.count) fields, not \(header.fields.count)")
      }
      rows.append(Row(line: record.line, fields: record.fields, columns: positions))
    }
    columns = Set(positions.keys)
    self.rows = rows
  }
}
