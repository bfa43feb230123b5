import AppCore
import CAppCore
import Models

/// The values of a query that are texts or numbers in C.
enum QueryText {
  /// Runs a parser of texts that users write.
  ///
  /// - Throws: ``Misuse/badArgument(message:)``.
  static func value<Value>(_ parse: () throws -> Value) throws -> Value {
    do { return try parse() } catch let error as InvalidFilterValue {
      throw Misuse.badArgument(message: error.description)
    }
  }

  /// Returns a day, a month or a year; `nil` without a text.
  static func period(
    _ text: UnsafePointer<CChar>?, _ parameter: String
  ) throws -> CalendarPeriod? {
    try CText.optional(text, parameter).map { text in try value { try FilterValue.period(text) } }
  }

  /// Returns the rows to skip and the rows to return.
  static func page(_ choice: appcore_query) throws -> (offset: Int, limit: Int?) {
    guard choice.offset >= 0, choice.limit >= 0 else {
      throw Misuse.badArgument(message: "offset and limit must not be negative")
    }
    return (Int(choice.offset), choice.limit == 0 ? nil : Int(choice.limit))
  }

  /// Returns a key and a direction, such as of `-issueDate`.
  static func order<Key: RawRepresentable<String> & CaseIterable>(
    _ text: String, _ keys: Key.Type
  ) throws -> (Key, isAscending: Bool) {
    let isDescending = text.hasPrefix("-")
    guard let key = Key(rawValue: String(text.dropFirst(isDescending ? 1 : 0))) else {
      let known = Key.allCases.map(\.rawValue).joined(separator: ", ")
      throw Misuse.badArgument(message: "unknown sort '\(text)'; available: \(known)")
    }
    return (key, !isDescending)
  }
}
