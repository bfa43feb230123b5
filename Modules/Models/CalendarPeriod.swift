public import Foundation

/// A span of days that a user writes as one word, such as `2026-03` or `30d`.
public struct CalendarPeriod: Sendable, Hashable {
  /// The first day.
  public let first: CalendarDate
  /// The last day; the same as the first for a period of one day.
  public let last: CalendarDate

  /// Creates the period of the days of a month.
  public init(_ month: CalendarMonth) {
    self.init(first: month.first, last: month.last)
  }

  private init(first: CalendarDate, last: CalendarDate) {
    (self.first, self.last) = (first, last)
  }

  /// Parses a period; `nil` if the text has none of these forms.
  ///
  /// - `2026-03-31`: a day (RFC 3339 `full-date`)
  /// - `2026-03`, `2026`: a month, a year
  /// - `today`, `yesterday`: a day
  /// - `30d`: the day 30 days before today
  ///
  /// - Parameters:
  ///   - text: the period as the user wrote it.
  ///   - today: the day that relative forms start from.
  public init?(_ text: String, today: CalendarDate) {
    if let day = CalendarDate(text) ?? Self.relativeDay(text, today) {
      self.init(first: day, last: day)
    } else if let month = CalendarMonth(text) {
      self.init(month)
    } else if let start = CalendarMonth(text + "-01"), let end = CalendarMonth(text + "-12") {
      self.init(first: start.first, last: end.last)
    } else {
      return nil
    }
  }

  private static func relativeDay(_ text: String, _ today: CalendarDate) -> CalendarDate? {
    switch text.lowercased() {
    case "today": return today
    case "yesterday": return today.adding(days: -1)
    case let text where text.hasSuffix("d"):
      let digits = text.dropLast()
      guard digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
        return nil
      }
      // Seven digits reach every year that a date can have.
      return digits.count > 7 ? nil : Int(digits).flatMap { today.adding(days: -$0) }
    default: return nil
    }
  }
}

extension CalendarMonth {
  /// The first day of the month.
  public var first: CalendarDate { CalendarDate(of: self, day: 1) }

  /// The last day of the month.
  public var last: CalendarDate {
    let days = [31, 30, 29].first { CalendarDate(year: year, month: month, day: $0) != nil }
    return CalendarDate(of: self, day: days ?? 28)
  }
}

extension CalendarDate {
  /// Returns the day that lies a number of days later, or earlier if it is negative; `nil` outside
  /// the years 1 to 9999.
  public func adding(days: Int) -> CalendarDate? {
    CalendarDate(daysSinceEpoch: daysSinceEpoch + days)
  }

  /// Returns the current day in a time zone.
  ///
  /// - Parameters:
  ///   - zone: the time zone.
  ///   - date: the instant whose day is returned.
  public static func today(in zone: TimeZone = .current, at date: Date = Date()) -> CalendarDate? {
    Timestamp(date).day(in: zone)
  }
}
