import Foundation
import GRDB
import GRDBSQLite
import Models

/// A prepared statement that binds values without boxing each of them.
///
/// GRDB's arguments take several times as long as SQLite takes to store the row.
struct BoundStatement {
  private let statement: Statement
  private let handle: OpaquePointer
  private let connection: OpaquePointer?

  init(_ db: Database, _ sql: String) throws {
    statement = try db.cachedStatement(sql: sql)
    handle = statement.sqliteStatement
    connection = db.sqliteConnection
  }

  func bindNull(at index: Int32) throws { try check(sqlite3_bind_null(handle, index)) }

  func bind(_ integer: Int64, at index: Int32) throws {
    try check(sqlite3_bind_int64(handle, index, integer))
  }

  func bind(_ integer: Int64?, at index: Int32) throws {
    if let integer { try bind(integer, at: index) } else { try bindNull(at: index) }
  }

  func bind(_ text: String?, at index: Int32) throws {
    guard var text else { return try bindNull(at: index) }
    try text.withUTF8 { try bind($0, at: index) }
  }

  /// Binds a text, which SQLite copies.
  func bind(_ bytes: [UInt8]?, at index: Int32) throws {
    guard let bytes else { return try bindNull(at: index) }
    try bytes.withUnsafeBufferPointer { try bind($0, at: index) }
  }

  func bind(_ text: UnsafeBufferPointer<UInt8>, at index: Int32) throws {
    // An empty buffer may have no address, which SQLite would take for NULL.
    guard let start = text.baseAddress, !text.isEmpty else {
      return try check(sqlite3_bind_text(handle, index, "", 0, transient))
    }
    try start.withMemoryRebound(to: CChar.self, capacity: text.count) {
      try check(sqlite3_bind_text(handle, index, $0, Int32(text.count), transient))
    }
  }

  /// Binds a text that stays where it is until the statement has run; SQLite does not copy it.
  func bind(inPlace text: UnsafeBufferPointer<UInt8>, at index: Int32) throws {
    guard let start = text.baseAddress, !text.isEmpty else { return try bind(text, at: index) }
    try start.withMemoryRebound(to: CChar.self, capacity: text.count) {
      try check(sqlite3_bind_text(handle, index, $0, Int32(text.count), nil))
    }
  }

  /// Runs the statement to its end.
  func run() throws {
    defer { sqlite3_reset(handle) }
    let code = sqlite3_step(handle)
    guard code == SQLITE_DONE || code == SQLITE_ROW else { throw failure(code) }
  }

  /// Runs the statement and reads its first row, if there is one.
  func first<Value>(_ read: (ColumnReader) throws -> Value) throws -> Value? {
    defer { sqlite3_reset(handle) }
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return try read(ColumnReader(handle: handle))
    case SQLITE_DONE: return nil
    case let code: throw failure(code)
    }
  }

  /// Runs the statement and calls a function with each row.
  func forEachRow(_ body: (ColumnReader) throws -> Void) throws {
    defer { sqlite3_reset(handle) }
    while true {
      switch sqlite3_step(handle) {
      case SQLITE_ROW: try body(ColumnReader(handle: handle))
      case SQLITE_DONE: return
      case let code: throw failure(code)
      }
    }
  }

  private var transient: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw failure(code) }
  }

  private func failure(_ code: Int32) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: connection.map { sqlite3_extended_errcode($0) } ?? code),
      message: connection.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) })
  }
}

/// The columns of a statement's current row.
struct ColumnReader {
  private let handle: OpaquePointer

  init(handle: OpaquePointer) { self.handle = handle }

  /// Reads the row at which a cursor of the statement stands.
  init(_ statement: Statement) { self.init(handle: statement.sqliteStatement) }

  /// Calls a function with the bytes of a text; returns `nil` for NULL.
  func withText<Value>(
    at index: Int32, _ read: (UnsafeBufferPointer<UInt8>) throws -> Value
  ) rethrows -> Value? {
    guard let start = sqlite3_column_text(handle, index) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, index))
    return try read(UnsafeBufferPointer(start: start, count: count))
  }

  func text(at index: Int32) -> String? {
    withText(at: index) { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the bytes of a text.
  func bytes(at index: Int32) -> [UInt8]? { withText(at: index) { Array($0) } }

  func isNull(at index: Int32) -> Bool { sqlite3_column_type(handle, index) == SQLITE_NULL }

  func value(at index: Int32) -> DatabaseValue {
    switch sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: sqlite3_column_int64(handle, index).databaseValue
    case SQLITE_FLOAT: sqlite3_column_double(handle, index).databaseValue
    case SQLITE_NULL: .null
    default: text(at: index).databaseValue
    }
  }

  func integer(at index: Int32) -> Int64? {
    isNull(at: index) ? nil : sqlite3_column_int64(handle, index)
  }
}

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

  /// The first value, wherever the next one is.
  var first: Int64? { columns.integer(at: 0) }

  /// True if the next value is `NULL`.
  var isNull: Bool { columns.isNull(at: next) }

  mutating func value() -> DatabaseValue { columns.value(at: index()) }

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

/// Reads the columns of a record, as ``ColumnBuffer`` writes them, after its identifier if it has
/// one.
extension RowValues: FieldVisitor {
  typealias Failure = any Error

  mutating func identifier(_ name: StaticString, _ value: inout String) throws {
    value = try StoredValue.required(text())
  }
  mutating func field(_ name: StaticString, _ value: inout String?) { value = text() }
  mutating func field(_ name: StaticString, _ value: inout Bool?) { value = flag() }
  mutating func field(_ name: StaticString, _ value: inout Int64?) { value = integer() }
  mutating func field(_ name: StaticString, _ value: inout ExactDecimal?) throws {
    value = try decimal()
  }
  mutating func field(_ name: StaticString, _ value: inout CalendarDate?) { value = day() }
  mutating func field(_ name: StaticString, _ value: inout Timestamp?) { value = instant() }
  mutating func field(_ name: StaticString, _ value: inout Currency?) throws {
    value = try text().map { try StoredValue.required(Currency(code: $0)) }
  }
  mutating func amount(_ name: StaticString, _ value: inout ExactDecimal?) throws {
    value = try decimal()
  }
  mutating func required(_ name: StaticString, _ value: inout String) throws {
    value = try StoredValue.required(text())
  }
  mutating func required(_ name: StaticString, _ value: inout Bool) throws {
    value = try StoredValue.required(flag())
  }
  mutating func required(_ name: StaticString, _ value: inout Currency) throws {
    value = try StoredValue.required(text().flatMap(Currency.init(code:)))
  }
  mutating func required<Word: FieldWord>(_ name: StaticString, _ value: inout Word) throws {
    value = try word()
  }
  mutating func requiredAmount(_ name: StaticString, _ value: inout ExactDecimal) throws {
    value = try StoredValue.required(decimal())
  }
  mutating func texts(_ name: StaticString, _ value: inout [String]) throws {
    let text = try StoredValue.required(text())
    value = text.isEmpty ? [] : text.components(separatedBy: "\n")
  }
  mutating func part<Part: FieldListing>(_ name: StaticString, _ value: inout Part) throws {
    try value.visit(&self)
  }
  mutating func part<Part: FieldListing>(_ name: StaticString, _ value: inout Part?) {}
  mutating func list<Element: FieldListing>(_ name: StaticString, _ value: inout [Element]) {}

  /// Reads a record.
  mutating func record<Record: FieldListing>() throws -> Record {
    var record = Record.blank
    try record.visit(&self)
    return record
  }

  /// Reads an address, whose lines are `NULL` if there is none.
  mutating func address() throws -> PostalAddress? {
    guard isNull else { return try record() as PostalAddress }
    next += Int32(InvoiceTable.addressColumns.count)
    return nil
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

/// Reads the values of columns.
enum StoredValue {
  static func day(_ text: String?) -> CalendarDate? { text.flatMap(CalendarDate.init) }

  static func decimal(_ text: String?) throws -> ExactDecimal? {
    guard let text else { return nil }
    return try required(ExactDecimal(text))
  }

  static func required<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw damage }
    return value
  }

  /// The error for a value that another program has written into the file.
  static var damage: DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a value of an invoice cannot be read")
  }
}
