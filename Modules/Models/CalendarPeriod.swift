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

  /// Creates the period of the days of a quarter.
  public init(_ quarter: CalendarQuarter) {
    self.init(first: quarter.firstMonth.first, last: quarter.firstMonth.adding(months: 2).last)
  }

  private init(first: CalendarDate, last: CalendarDate) {
    (self.first, self.last) = (first, last)
  }

  /// Parses a period; `nil` if the text has none of these forms.
  ///
  /// - `2026-03-31`: a day (RFC 3339 `full-date`)
  /// - `2026-03`, `2026-Q1`, `2026`: a month, a quarter, a year
  /// - `q1`: that quarter of the current year
  /// - `today`, `yesterday`: a day
  /// - `this-month`, `last-quarter`, `last-year` and the like: the current one, or the one before
  /// - `30d`, `2w`, `3m`, `1y`: the day so many days, weeks, months or years before today
  ///
  /// - Parameters:
  ///   - text: the period as the user wrote it, in any case.
  ///   - today: the day that relative forms start from.
  public init?(_ text: String, today: CalendarDate) {
    let text = text.lowercased()
    let month = CalendarMonth(of: today)
    if let day = CalendarDate(text) ?? Self.relativeDay(text, today) {
      self.init(first: day, last: day)
    } else if let month = CalendarMonth(text) {
      self.init(month)
    } else if let year = Self.year(text) {
      self = year
    } else if let quarter = CalendarQuarter(text) ?? CalendarQuarter("\(today.yearText)-\(text)") {
      self.init(quarter)
    } else if let unit = Unit.allCases.first(where: { text == "this-\($0)" }) {
      self.init(unit, of: month)
    } else if let unit = Unit.allCases.first(where: { text == "last-\($0)" }) {
      self.init(unit, of: month.adding(months: -unit.months))
    } else {
      return nil
    }
  }

  /// Parses a period of a unit, of which `last` and `this` are the one before and the current one.
  ///
  /// - Parameters:
  ///   - unit: the unit.
  ///   - text: the period as the user wrote it.
  ///   - today: the day that relative forms start from.
  /// - Returns: `nil` if the text is no period of this unit.
  public init?(_ unit: Unit, _ text: String, today: CalendarDate) {
    let isRelative = ["this", "last"].contains(text.lowercased())
    self.init(isRelative ? text + "-\(unit)" : text, today: today)
    guard first.day == 1, self == Self(unit, of: CalendarMonth(of: first)) else { return nil }
  }

  /// A unit of the calendar.
  public enum Unit: String, Sendable, CaseIterable, CustomStringConvertible {
    /// A unit of a year.
    case month, quarter
    /// A year.
    case year

    fileprivate var months: Int {
      switch self {
      case .month: 1
      case .quarter: 3
      case .year: 12
      }
    }

    /// The unit as a word.
    public var description: String { rawValue }
  }

  private init(_ unit: Unit, of month: CalendarMonth) {
    let first = month.adding(months: -((month.month - 1) % unit.months))
    self.init(first: first.first, last: first.adding(months: unit.months - 1).last)
  }

  private static func year(_ text: String) -> CalendarPeriod? {
    guard let start = CalendarMonth(text + "-01"), let end = CalendarMonth(text + "-12") else {
      return nil
    }
    return CalendarPeriod(first: start.first, last: end.last)
  }

  private static func relativeDay(_ text: String, _ today: CalendarDate) -> CalendarDate? {
    switch text {
    case "today": return today
    case "yesterday": return today.adding(days: -1)
    default:
      let digits = text.dropLast()
      // Seven digits reach every year that a date can have.
      guard !digits.isEmpty, digits.count <= 7,
        digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
        let count = Int(digits)
      else { return nil }
      switch text.last {
      case "d": return today.adding(days: -count)
      case "w": return today.adding(days: -7 * count)
      case "m": return today.adding(months: -count)
      case "y": return today.adding(months: -12 * count)
      default: return nil
      }
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

  /// Returns the month that lies a number of months later, or earlier if it is negative; the first
  /// or the last month of the calendar if it would lie outside.
  func adding(months count: Int) -> CalendarMonth {
    let index = min(max(12 * year + month - 1 + count, 12), 12 * 10_000 - 1)
    return CalendarMonth(year: index / 12, month: index % 12 + 1)
  }
}

extension CalendarDate {
  /// Returns the day that lies a number of days later, or earlier if it is negative; `nil` outside
  /// the years 1 to 9999.
  public func adding(days: Int) -> CalendarDate? {
    CalendarDate(daysSinceEpoch: daysSinceEpoch + days)
  }

  /// Returns the same day of an earlier or later month, or its last day if it is shorter; `nil`
  /// outside the years 1 to 9999.
  func adding(months count: Int) -> CalendarDate? {
    guard (12..<120_000).contains(12 * year + month - 1 + count) else { return nil }
    let month = CalendarMonth(of: self).adding(months: count)
    return CalendarDate(of: month, day: min(day, month.last.day))
  }

  fileprivate var yearText: String { padded(year, to: 4) }

  /// Returns the first instant of the day in a time zone; `nil` if the zone's calendar lacks it.
  public func start(in zone: TimeZone) -> Timestamp? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    return calendar.date(from: DateComponents(year: year, month: month, day: day))
      .map { Timestamp($0) }
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
