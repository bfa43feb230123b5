import GRDB
import GRDBSQLite
import Models

/// The values of one record in the order of their columns, in one piece of memory.
///
/// They are written once, and then both compared with what is stored, by their ``fingerprint``, and
/// bound to statements. The memory is used again for the next record.
struct ColumnBuffer {
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

  /// Forgets the last record.
  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
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

  /// A number that differs where any value does, and is the same in every process.
  var fingerprint: Int64 { StableHash.value(of: bytes) }

  /// Binds the record's own values, from the first parameter on.
  func bindRecord(to statement: BoundStatement) throws {
    try bind(0..<(rows.first?.start ?? cells.count), to: statement, from: 1)
  }

  /// Calls `insert` for each child row, with its table and what binds its values from a parameter on.
  func forEachChild(
    _ insert: (_ table: Int, _ bind: (BoundStatement, _ first: Int32) throws -> Void) throws -> Void
  ) throws {
    for (index, row) in rows.enumerated() {
      let end = index + 1 < rows.count ? rows[index + 1].start : cells.count
      try insert(row.table) { statement, first in
        try bind(row.start..<end, to: statement, from: first)
      }
    }
  }

  private func bind(_ range: Range<Int>, to statement: BoundStatement, from first: Int32) throws {
    try bytes.withUnsafeBufferPointer { bytes in
      for (index, cell) in zip(first..., cells[range]) {
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
