import GRDB
import Models

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
