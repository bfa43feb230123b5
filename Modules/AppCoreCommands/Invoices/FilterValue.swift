import ArgumentParser
import Models

/// Parses the values of options that select records.
enum FilterValue {
  static func list<Value: RawRepresentable<String>>(
    _ text: String, _ name: String, _ all: [Value]
  ) throws -> [Value] {
    try parts(text).map { part in
      guard let value = Value(rawValue: part) else {
        throw ValidationError(
          "unknown \(name) '\(part)'; available: "
            + all.map(\.rawValue).joined(separator: ", "))
      }
      return value
    }
  }

  static func currencies(_ text: String) throws -> [Currency] {
    try parts(text).map { part in
      guard let currency = Currency(code: part) else {
        throw ValidationError("'\(part)' is not a currency code such as EUR")
      }
      return currency
    }
  }

  static func amount(_ text: String) throws -> ExactDecimal {
    guard let amount = ExactDecimal(text) else {
      throw ValidationError("'\(text)' is not an amount such as 1000 or 99.95")
    }
    return amount
  }

  static func month(_ text: String) throws -> CalendarMonth {
    guard let month = CalendarMonth(text) else {
      throw ValidationError("'\(text)' is not a month such as 2026-03")
    }
    return month
  }

  static func period(_ text: String) throws -> CalendarPeriod {
    guard let today = CalendarDate.today(), let period = CalendarPeriod(text, today: today) else {
      throw ValidationError(
        "'\(text)' is not a day such as 2026-03-31, a month such as 2026-03, a year, 30d, "
          + "yesterday or today")
    }
    return period
  }

  private static func parts(_ text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      String(part.trimmingPrefix(while: \.isWhitespace))
    }
  }
}
