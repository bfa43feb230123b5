import GRDB
import GRDBSQLite
import Models

/// The values of records in the order of their columns, in one contiguous buffer.
///
/// Values are written once. Their ``fingerprint(of:)`` is compared with the stored one, and the
/// values are bound to statements.
struct ColumnBuffer: Sendable {
  /// The positions of the values of one record.
  struct Parts: Sendable {
    fileprivate let bytes: Range<Int>
    /// The record's own values.
    let columns: Range<Int>
    /// The rows of its child tables, and the end of their values.
    fileprivate let children: Range<Int>
    fileprivate let childrenEnd: Int
  }

  /// The first byte of a value in ``bytes``.
  ///
  /// No mark is a byte of UTF-8, so two different lists of values never have the same bytes.
  private enum Mark {
    static let null: UInt8 = 0xF8
    static let integer: UInt8 = 0xF9
    static let child: UInt8 = 0xFA
    static let text: UInt8 = 0xFF
  }

  /// A row of one of the record's child tables.
  private struct ChildRow {
    let table: Int
    let start: Int
  }

  private var bytes: [UInt8] = []
  /// The end of each value; the next one begins there with its mark.
  private var ends: [UInt32] = []
  private var rows: [ChildRow] = []

  /// The number of bytes of all values.
  var byteCount: Int { bytes.count }

  /// Writes the values of one record.
  mutating func write(record: (inout ColumnBuffer) -> Void) -> Parts {
    let (firstByte, firstCell, firstRow) = (bytes.count, ends.count, rows.count)
    record(&self)
    return Parts(
      bytes: firstByte..<bytes.count,
      columns: firstCell..<(firstRow < rows.count ? rows[firstRow].start : ends.count),
      children: firstRow..<rows.count, childrenEnd: ends.count)
  }

  /// Reserves room for a number of bytes.
  mutating func reserve(bytes count: Int) { bytes.reserveCapacity(count) }

  /// Reserves room for a multiple of the current contents, and an eighth more.
  mutating func reserve(_ times: Int) {
    bytes.reserveCapacity(bytes.count * times * 9 / 8)
    ends.reserveCapacity(ends.count * times * 9 / 8)
    rows.reserveCapacity(rows.count * times * 9 / 8)
  }

  mutating func append(_ text: String?) {
    guard var text else { return appendNull() }
    appendText { bytes in text.withUTF8 { bytes.append(contentsOf: $0) } }
  }

  /// Appends a text as it is stored.
  mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    appendText { $0.append(contentsOf: text) }
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
    bytes.append(Mark.integer)
    withUnsafeBytes(of: integer.littleEndian) { bytes.append(contentsOf: $0) }
    ends.append(UInt32(bytes.count))
  }

  /// Begins a row of a child table, and writes its position as the first value.
  mutating func beginChild(_ table: some RawRepresentable<Int>, at position: Int) {
    bytes.append(Mark.child)
    rows.append(ChildRow(table: table.rawValue, start: ends.count))
    append(Int64(position))
  }

  /// Returns a number that differs if any value of a record differs, and is the same in every
  /// process.
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

  /// Calls a function with the bytes of all values.
  func withBytes<Value>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Value
  ) rethrows -> Value { try bytes.withUnsafeBufferPointer(body) }

  /// Binds values to consecutive parameters, beginning with `first`.
  ///
  /// - Parameters:
  ///   - values: the values.
  ///   - bytes: the bytes of all values; the statement has to run while they are valid.
  ///   - statement: the statement.
  ///   - first: the first parameter.
  func bind(
    _ values: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>, to statement: BoundStatement,
    from first: Int32 = 1
  ) throws {
    guard let firstValue = values.first else { return }
    var start = firstValue == 0 ? 0 : Int(ends[firstValue - 1])
    for (index, end) in zip(first..., ends[values].lazy.map(Int.init)) {
      if bytes[start] == Mark.child { start += 1 }
      let value = UnsafeBufferPointer(rebasing: bytes[(start + 1)..<end])
      switch bytes[start] {
      case Mark.text: try statement.bind(inPlace: value, at: index)
      case Mark.integer:
        let integer = UnsafeRawBufferPointer(value).loadUnaligned(as: Int64.self)
        try statement.bind(Int64(littleEndian: integer), at: index)
      default: try statement.bindNull(at: index)
      }
      start = end
    }
  }

  mutating func appendNull() {
    bytes.append(Mark.null)
    ends.append(UInt32(bytes.count))
  }

  private mutating func appendText(_ write: (inout [UInt8]) -> Void) {
    bytes.append(Mark.text)
    write(&bytes)
    ends.append(UInt32(bytes.count))
  }
}

/// The columns of a record: its single values and those of a part that it always has; lists and
/// other parts have tables of their own.
extension ColumnBuffer: FieldVisitor {
  /// Stands beside the record's own columns.
  mutating func identifier(_ name: StaticString, _ value: inout String) {}
  mutating func field(_ name: StaticString, _ value: inout String?) { append(value) }
  mutating func field(_ name: StaticString, _ value: inout Bool?) { append(value) }
  mutating func field(_ name: StaticString, _ value: inout Int64?) { append(value) }
  mutating func field(_ name: StaticString, _ value: inout ExactDecimal?) { append(value) }
  mutating func field(_ name: StaticString, _ value: inout CalendarDate?) { append(value) }
  mutating func field(_ name: StaticString, _ value: inout Timestamp?) { append(value) }
  mutating func field(_ name: StaticString, _ value: inout Currency?) { append(value?.code) }
  mutating func amount(_ name: StaticString, _ value: inout ExactDecimal?) { append(value) }
  mutating func required(_ name: StaticString, _ value: inout String) { append(value) }
  mutating func required(_ name: StaticString, _ value: inout Bool) { append(value) }
  mutating func required(_ name: StaticString, _ value: inout Currency) { append(value.code) }
  mutating func required<Word: FieldWord>(_ name: StaticString, _ value: inout Word) {
    append(value.rawValue)
  }
  mutating func requiredAmount(_ name: StaticString, _ value: inout ExactDecimal) {
    append(value)
  }
  mutating func texts(_ name: StaticString, _ value: inout [String]) {
    append(value.joined(separator: "\n"))
  }
  mutating func part<Part: FieldListing>(_ name: StaticString, _ value: inout Part) {
    value.visit(&self)
  }
  mutating func part<Part: FieldListing>(_ name: StaticString, _ value: inout Part?) {}
  mutating func list<Element: FieldListing>(_ name: StaticString, _ value: inout [Element]) {}

  /// Writes the values of a part, or as many times `NULL` if there is none.
  mutating func append<Part: FieldListing>(_ part: Part?, columns: Int) {
    if var part { return part.visit(&self) }
    for _ in 0..<columns { appendNull() }
  }
}

extension FieldDescription {
  /// A column that ``ColumnBuffer`` writes.
  struct Column {
    let name: String
    let kind: Kind

    /// True if the column holds a decimal number.
    var isNumber: Bool {
      switch kind {
      case .amount, .decimal: true
      default: false
      }
    }
  }

  /// Returns the columns that ``ColumnBuffer`` writes for a record.
  static func storedColumns<Record: FieldListing>(of _: Record.Type) -> [Column] {
    columns(of: all(of: Record.self))
  }

  /// Returns their names.
  static func columns<Record: FieldListing>(of _: Record.Type) -> [String] {
    storedColumns(of: Record.self).map(\.name)
  }

  private static func columns(of fields: [FieldDescription]) -> [Column] {
    fields.flatMap { field in
      switch field.kind {
      case .identifier, .list: [Column]()
      case .part(let fields):
        field.isRequired
          ? columns(of: fields).map {
            Column(name: "\(field.snakeName)_\($0.name)", kind: $0.kind)
          } : []
      default: [Column(name: field.snakeName, kind: field.kind)]
      }
    }
  }
}
