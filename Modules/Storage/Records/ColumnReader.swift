import GRDB
import GRDBSQLite

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

  func integer(at index: Int32) -> Int64? {
    sqlite3_column_type(handle, index) == SQLITE_NULL ? nil : sqlite3_column_int64(handle, index)
  }
}
