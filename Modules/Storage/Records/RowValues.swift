import GRDB
import Models

/// The values of a row, read one after the other in the order of its columns.
///
/// GRDB's rows find each column by its name, which costs several times what it costs to read the
/// value.
struct RowValues {
  private let columns: ColumnReader
  private var next: Int32 = 0

  init(_ columns: ColumnReader) { self.columns = columns }

  private mutating func index() -> Int32 {
    defer { next += 1 }
    return next
  }

  mutating func text() -> String? { columns.text(at: index()) }

  mutating func integer() -> Int64? { columns.integer(at: index()) }

  mutating func flag() -> Bool? { integer().map { $0 != 0 } }

  mutating func decimal() throws -> ExactDecimal? {
    try columns.withText(at: index()) { text in
      try StoredValue.required(ExactDecimal(utf8: text.span))
    }
  }

  mutating func day() -> CalendarDate? {
    columns.withText(at: index()) { CalendarDate(utf8: $0.span) } ?? nil
  }

  mutating func instant() -> Timestamp? { integer().map(Timestamp.init(microsecondsSinceEpoch:)) }

  /// Returns the value of a column that holds one of appcore's words.
  mutating func word<Word: RawRepresentable<String>>() throws -> Word {
    try StoredValue.required(text().flatMap(Word.init))
  }
}

extension Database {
  /// Calls a function with the values of each row that a query finds.
  func forEachRow(
    sql: String, arguments: StatementArguments, _ body: (inout RowValues) throws -> Void
  ) throws {
    let statement = try makeStatement(sql: sql)
    let rows = try Row.fetchCursor(statement, arguments: arguments)
    while try rows.next() != nil {
      var values = RowValues(ColumnReader(statement))
      try body(&values)
    }
  }

  /// Returns what a function makes of each row that a query finds.
  func allRows<Value>(
    sql: String, arguments: StatementArguments, _ read: (inout RowValues) throws -> Value
  ) throws -> [Value] {
    var found: [Value] = []
    try forEachRow(sql: sql, arguments: arguments) { found.append(try read(&$0)) }
    return found
  }
}
