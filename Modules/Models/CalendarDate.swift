/// A day in the proleptic Gregorian calendar, without a time or a zone, such as an issue date.
///
/// A calendar date is not an instant: a time zone must not change it.
public struct CalendarDate: Sendable, Hashable {
  /// The year, 1 through 9999.
  public let year: Int
  /// The month, 1 through 12.
  public let month: Int
  /// The day of the month, 1 through 31.
  public let day: Int

  /// Creates a date, or returns `nil` if the calendar has no such day.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.daysInMonth(month, of: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates a day of a month, which the caller knows to exist.
  init(of month: CalendarMonth, day: Int) {
    (year, self.month, self.day) = (month.year, month.month, day)
  }

  /// The first day of 1900; earlier days on business documents are mistakes.
  package static let firstOf1900 = CalendarDate(knownYear: 1900, month: 1, day: 1)

  private init(knownYear: Int, month: Int, day: Int) {
    (year, self.month, self.day) = (knownYear, month, day)
  }

  /// Parses `YYYY-MM-DD` (RFC 3339 `full-date`); `nil` if the text has any other form.
  public init?(_ description: String) {
    self.init(utf8: description.utf8.span)
  }

  /// Parses the text of ``description``; `nil` if it has any other form.
  package init?(utf8 text: Span<UInt8>) {
    guard text.count == 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      let year = Self.number(text.extracting(0..<4)),
      let month = Self.number(text.extracting(5..<7)),
      let day = Self.number(text.extracting(8..<10))
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The number of days since 1970-01-01; negative before it.
  public var daysSinceEpoch: Int {
    // Days are counted in years that begin in March, so that a leap day ends its year.
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Creates the date that lies `days` after 1970-01-01, or `nil` outside the years 1 to 9999.
  public init?(daysSinceEpoch days: Int) {
    guard (-719_162...2_932_896).contains(days) else { return nil }
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    self.init(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
      month: month,
      day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  /// True for a day that programs write where there is no date: the first of .NET (`0001-01-01`),
  /// of OLE (`1899-12-30`) and of SQL Server's `smalldatetime` (`1900-01-01`), and the last
  /// (`9999-12-31`).
  ///
  /// None of them can be a date of an invoice. Others, `0000-00-00` and `-0001-11-30`, are no days.
  package var isPlaceholder: Bool {
    switch (year, month, day) {
    case (1, 1, 1), (1899, 12, 30), (1900, 1, 1), (9999, 12, 31): true
    default: false
    }
  }

  private static func daysInMonth(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2:
      (year.isMultiple(of: 4) && !year.isMultiple(of: 100)) || year.isMultiple(of: 400) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func number(_ digits: Span<UInt8>) -> Int? {
    var value = 0
    for index in digits.indices {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digits[index]) else { return nil }
      value = value * 10 + Int(digits[index] - UInt8(ascii: "0"))
    }
    return value
  }
}

extension CalendarDate: CustomStringConvertible, Comparable {
  /// The date as `YYYY-MM-DD`.
  public var description: String {
    "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
  }

  /// Appends the text of ``description``, without creating a string.
  package func appendText(to bytes: inout [UInt8]) {
    func append(_ number: Int) {
      bytes.append(UInt8(ascii: "0") + UInt8(number / 10 % 10))
      bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
    append(year / 100)
    append(year)
    bytes.append(UInt8(ascii: "-"))
    append(month)
    bytes.append(UInt8(ascii: "-"))
    append(day)
  }

  /// Orders dates from earlier to later.
  public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}

extension CalendarDate: Codable {
  /// Decodes from its text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let date = CalendarDate(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not YYYY-MM-DD")
    }
    self = date
  }

  /// Encodes as its text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// Writes a number with leading zeros.
func padded(_ number: Int, to width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
