import Models

/// A receiver of the values of a row, column by column.
///
/// A table lists its columns once, together with their values: ``ColumnBuffer`` takes the values,
/// ``ColumnNames`` takes the names.
protocol ColumnSink {
  mutating func add<Value: ColumnValue>(_ column: StaticString, _ value: Value?)
}

/// The names of a table's columns, in their order.
struct ColumnNames: ColumnSink {
  private(set) var names: [String] = []

  /// - Parameter write: writes any row of the table.
  init(_ write: (inout ColumnNames) -> Void) { write(&self) }

  mutating func add<Value: ColumnValue>(_ column: StaticString, _ value: Value?) {
    names.append("\(column)")
  }
}

/// A value that a column can hold.
protocol ColumnValue {
  func append(to buffer: inout ColumnBuffer)
}

extension String: ColumnValue {
  func append(to buffer: inout ColumnBuffer) { buffer.append(self) }
}

extension Bool: ColumnValue {
  func append(to buffer: inout ColumnBuffer) { buffer.append(self) }
}

extension Int64: ColumnValue {
  func append(to buffer: inout ColumnBuffer) { buffer.append(self) }
}

extension ExactDecimal: ColumnValue {
  func append(to buffer: inout ColumnBuffer) { buffer.append(self) }
}

extension CalendarDate: ColumnValue {
  func append(to buffer: inout ColumnBuffer) { buffer.append(self) }
}

extension Timestamp: ColumnValue {
  func append(to buffer: inout ColumnBuffer) { buffer.append(self) }
}
