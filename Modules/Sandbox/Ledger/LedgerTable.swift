/// A table of comma-separated values with a header line (RFC 4180).
struct LedgerTable {
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

/// Splits RFC 4180 text into records, one at a time.
private struct CSVReader {
  struct Record {
    var line: Int
    var fields: [String?]
  }

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  init(_ bytes: [UInt8]) {
    // A byte order mark is not part of the first name.
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }

  mutating func nextRecord() throws(LedgerTable.Malformed) -> Record? {
    guard position < bytes.count else { return nil }
    var record = Record(line: line, fields: [])
    while true {
      record.fields.append(
        current == UInt8(ascii: "\"") ? try quotedField() : try plainField())
      switch current {
      case UInt8(ascii: ","):
        position += 1
      case nil:
        return record
      default:
        try endLine()
        return record
      }
    }
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func plainField() throws(LedgerTable.Malformed) -> String? {
    let start = position
    while let byte = current, byte != UInt8(ascii: ","), byte != UInt8(ascii: "\n"),
      byte != UInt8(ascii: "\r")
    {
      guard byte != UInt8(ascii: "\"") else {
        throw malformed("there is a quote inside a field that is not quoted")
      }
      position += 1
    }
    return position == start ? nil : try text(bytes[start..<position])
  }

  private mutating func quotedField() throws(LedgerTable.Malformed) -> String {
    var content: [UInt8] = []
    position += 1
    while let byte = current {
      position += 1
      if byte == UInt8(ascii: "\n") { line += 1 }
      guard byte == UInt8(ascii: "\"") else {
        content.append(byte)
        continue
      }
      // A doubled quote means one quote; a single one ends the field.
      guard current == byte else { return try text(content[...]) }
      content.append(byte)
      position += 1
    }
    throw malformed("a quoted field does not end")
  }

  private mutating func endLine() throws(LedgerTable.Malformed) {
    if current == UInt8(ascii: "\r") { position += 1 }
    guard current == UInt8(ascii: "\n") else {
      throw malformed("there is text after a quoted field, or a bare carriage return")
    }
    position += 1
    line += 1
  }

  private func text(_ content: ArraySlice<UInt8>) throws(LedgerTable.Malformed) -> String {
    guard let text = String(validating: content, as: UTF8.self) else {
      throw malformed("a field is not UTF-8")
    }
    return text
  }

  private func malformed(_ reason: String) -> LedgerTable.Malformed {
    LedgerTable.Malformed(line: line, reason: reason)
  }
}
