/// Splits RFC 4180 text into records, one at a time.
struct CSVReader {
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

  /// Returns the next record, or `nil` at the end of the text.
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
