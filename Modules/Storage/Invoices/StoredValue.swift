import GRDB
import Models

/// What stands in a column, as the values that were written there.
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

  /// Somebody wrote into the file what this program never writes.
  static var damage: DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a value of an invoice cannot be read")
  }
}
