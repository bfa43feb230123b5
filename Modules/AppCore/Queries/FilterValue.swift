import Foundation
package import Models

/// The texts with which users select records, and their values.
package enum FilterValue {
  package static func list<Value: RawRepresentable<String>>(
    _ text: String, _ name: String, _ all: [Value]
  ) throws -> [Value] {
    try parts(text).map { part in
      guard let value = Value(rawValue: part) else {
        throw InvalidFilterValue(
          "unknown \(name) '\(part)'; available: "
            + all.map(\.rawValue).joined(separator: ", "))
      }
      return value
    }
  }

  package static func currencies(_ text: String) throws -> [Currency] {
    try parts(text).map { try currency($0) }
  }

  package static func currency(_ text: String) throws -> Currency {
    guard let currency = Currency(code: text) else {
      throw InvalidFilterValue("'\(text)' is not a currency code such as EUR")
    }
    return currency
  }

  package static func amount(_ text: String) throws -> ExactDecimal {
    guard let amount = ExactDecimal(text) else {
      throw InvalidFilterValue("'\(text)' is not an amount such as 1000 or 99.95")
    }
    return amount
  }

  package static func period(_ text: String) throws -> CalendarPeriod {
    guard let today = CalendarDate.today(), let period = CalendarPeriod(text, today: today) else {
      throw InvalidFilterValue(
        "'\(text)' is not a day such as 2026-03-31, yesterday, 30d or 3m (months), or a period such "
          + "as 2026-03, 2026-Q1, 2026, q1 or last-month")
    }
    return period
  }

  /// Returns a month, a quarter or a year.
  package static func period(
    _ unit: CalendarPeriod.Unit, _ text: String
  ) throws -> CalendarPeriod {
    guard let today = CalendarDate.today(), let period = CalendarPeriod(unit, text, today: today)
    else {
      let example =
        switch unit {
        case .month: "2026-03"
        case .quarter: "2026-Q1, q1"
        case .year: "2026"
        }
      throw InvalidFilterValue("'\(text)' is not a \(unit) such as \(example), this or last")
    }
    return period
  }

  /// Returns an instant; a period stands for its first instant.
  ///
  /// A day that is written as such begins in UTC, one that is counted from today in the time zone
  /// of this machine.
  package static func instant(_ text: String) throws -> Timestamp {
    if let instant = Timestamp(text) { return instant }
    if let day = CalendarDate(text) {
      return Timestamp(microsecondsSinceEpoch: Int64(day.daysSinceEpoch) * 86_400_000_000)
    }
    guard let period = try? period(text), let start = period.first.start(in: .current) else {
      throw InvalidFilterValue(
        "'\(text)' is not a date; use YYYY-MM-DD, YYYY-MM-DDThh:mm:ssZ, yesterday, 30d, 2w or 3m "
          + "(months; there is nothing for minutes)")
    }
    return start
  }

  /// Requires that a range of days is not empty, which is a mistake rather than a wish.
  ///
  /// - Parameter prefix: the text before the names of both ends, such as that of options.
  package static func checkOrder(
    from: CalendarPeriod?, to: CalendarPeriod?, prefix: String = ""
  ) throws {
    guard let from, let to, to.last < from.first else { return }
    throw InvalidFilterValue("\(prefix)from \(from.first) is after \(prefix)to \(to.last)")
  }

  /// Requires that a range of amounts is not empty.
  ///
  /// - Parameter prefix: as for days.
  package static func checkOrder(
    min: ExactDecimal?, max: ExactDecimal?, prefix: String = ""
  ) throws {
    guard let min, let max, max < min else { return }
    throw InvalidFilterValue("\(prefix)max is less than \(prefix)min")
  }

  private static func parts(_ text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      String(part.trimmingPrefix(while: \.isWhitespace))
    }
  }
}

/// A text that is no value to select records by.
package struct InvalidFilterValue: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
