import GRDB
import GRDBSQLite
import Models

/// The values of records in the order of their columns, in one piece of memory.
///
/// They are written once, and then both compared with what is stored, by their
/// ``fingerprint(of:)``, and bound to statements.
struct ColumnBuffer: Sendable {
  /// Where the values of one record stand.
  struct Parts: Sendable {
    fileprivate let bytes: Range<Int>
    /// The record's own values.
    let columns: Range<Int>
    /// The rows of its child tables, and where their values end.
    fileprivate let children: Range<Int>
    fileprivate let childrenEnd: Int
    /// The text that can be searched for.
    let words: Range<Int>
  }

  private enum Cell {
    case null
    case integer(Int64)
    case text(start: Int, count: Int)
  }

  /// A row of one of the record's child tables.
  private struct ChildRow {
    let table: Int
    let start: Int
  }

  private var bytes: [UInt8] = []
  private var cells: [Cell] = []
  private var rows: [ChildRow] = []

  /// Writes the values of one record.
  mutating func write(
    record: (inout ColumnBuffer) -> Void, words: (inout ColumnBuffer) -> Void
  ) -> Parts {
    let (firstByte, firstCell, firstRow) = (bytes.count, cells.count, rows.count)
    record(&self)
    // The words are the values once more, in another order.
    let (lastByte, lastCell) = (bytes.count, cells.count)
    words(&self)
    return Parts(
      bytes: firstByte..<lastByte,
      columns: firstCell..<(firstRow < rows.count ? rows[firstRow].start : lastCell),
      children: firstRow..<rows.count, childrenEnd: lastCell, words: lastCell..<cells.count)
  }

  mutating func append(_ text: String?) {
    guard var text else { return appendNull() }
    appendText { bytes in text.withUTF8 { bytes.append(contentsOf: $0) } }
  }

  mutating func append(_ number: ExactDecimal?) {
    guard let number else { return appendNull() }
    appendText { number.appendText(to: &$0) }
  }

  mutating func append(_ date: CalendarDate?) {
    guard let date else { return appendNull() }
    appendText { date.appendText(to: &$0) }
  }

  mutating func append(_ instant: Timestamp?) {
    append(instant?.microsecondsSinceEpoch)
  }

  mutating func append(_ flag: Bool?) {
    append(flag.map { $0 ? 1 : 0 } as Int64?)
  }

  mutating func append(_ integer: Int64?) {
    guard let integer else { return appendNull() }
    bytes.append(2)
    withUnsafeBytes(of: integer.littleEndian) { bytes.append(contentsOf: $0) }
    cells.append(.integer(integer))
  }

  /// Begins a row of a child table; its position is written first.
  mutating func beginChild(_ table: Int, at position: Int) {
    bytes.append(3)
    rows.append(ChildRow(table: table, start: cells.count))
    append(Int64(position))
  }

  /// Writes texts with a line break between them, as SQLite's `group_concat` does: what is `nil` is
  /// left out, and nothing at all is `NULL`.
  mutating func append(joining texts: some Sequence<String?>) {
    var isFirst = true
    for var text in texts.lazy.compactMap({ $0 }) {
      if isFirst {
        appendText { bytes in text.withUTF8 { bytes.append(contentsOf: $0) } }
      } else if case .text(let start, _) = cells[cells.count - 1] {
        bytes.append(UInt8(ascii: "\n"))
        text.withUTF8 { bytes.append(contentsOf: $0) }
        cells[cells.count - 1] = .text(start: start, count: bytes.count - start)
      }
      isFirst = false
    }
    if isFirst { appendNull() }
  }

  /// A number that differs where any value of a record does, and is the same in every process.
  func fingerprint(of parts: Parts) -> Int64 { StableHash.value(of: bytes, in: parts.bytes) }

  /// Calls `insert` for each child row, with its table and its values.
  func forEachChild(
    of parts: Parts, _ insert: (_ table: Int, _ values: Range<Int>) throws -> Void
  ) throws {
    for index in parts.children {
      let end = index + 1 < parts.children.upperBound ? rows[index + 1].start : parts.childrenEnd
      try insert(rows[index].table, rows[index].start..<end)
    }
  }

  /// Binds values, from a parameter on.
  func bind(
    _ values: Range<Int>, to statement: BoundStatement, from first: Int32 = 1
  ) throws {
    try bytes.withUnsafeBufferPointer { bytes in
      for (index, cell) in zip(first..., cells[values]) {
        switch cell {
        case .null: try statement.bindNull(at: index)
        case .integer(let integer): try statement.bind(integer, at: index)
        case .text(let start, let count):
          try statement.bind(
            UnsafeBufferPointer(rebasing: bytes[start..<(start + count)]), at: index)
        }
      }
    }
  }

  private mutating func appendNull() {
    bytes.append(0)
    cells.append(.null)
  }

  private mutating func appendText(_ write: (inout [UInt8]) -> Void) {
    // The mark is no byte of UTF-8, so no two lists of values have the same bytes.
    bytes.append(0xFF)
    let start = bytes.count
    write(&bytes)
    cells.append(.text(start: start, count: bytes.count - start))
  }
}
