import GRDB
import GRDBSQLite

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
