package import Foundation
package import JSONReading
package import Models
import Networking
import Sync

/// The format in which a server writes instants and days.
package enum RESTDateForm: String, Sendable, CaseIterable {
  /// `2024-05-31`.
  case day = "iso-day"
  /// `2024-05-31T08:00:00Z`, with any offset; also `-0800`, as ISO 8601 allows it.
  case instant = "rfc3339"
  /// An instant whose day is used as written, such as `2024-05-31T00:00:00+02:00`.
  case dayOfInstant = "rfc3339-day"
  /// `2024-05-31T08:00:00` or `2024-05-31 08:00:00`, read as UTC.
  case withoutZone = "without-zone"
  /// The same, and written with a space in requests: `2024-05-31 08:00:00`.
  case spaced = "without-zone-spaced"
  /// Seconds since 1970.
  case seconds = "epoch-seconds"
  /// Milliseconds since 1970.
  case milliseconds = "epoch-milliseconds"
  /// `Fri, 31 May 2024 08:00:00 GMT`, as HTTP writes dates (RFC 9110 section 5.6.7).
  case http = "http-date"
  /// `31/05/2024`.
  case dayMonthYear = "dd/mm/yyyy"
  /// `05/31/2024`.
  case monthDayYear = "mm/dd/yyyy"
  /// `31.05.2024`.
  case dottedDay = "dd.mm.yyyy"
  /// `20240531`, as a text or a number.
  case digits = "yyyymmdd"
  /// An object with the members `year`, `month` and `day`.
  case object = "date-object"
  /// `/Date(1717113600000+0000)/`, the milliseconds since 1970 as Microsoft's JSON writes them; the
  /// offset changes nothing.
  case dotNet = "dotnet"

  /// True if the format states an instant, whose day depends on the time zone.
  package var statesInstant: Bool {
    switch self {
    case .instant, .withoutZone, .spaced, .seconds, .milliseconds, .http, .dotNet: true
    case .day, .dayOfInstant, .dayMonthYear, .monthDayYear, .dottedDay, .digits, .object: false
    }
  }

  /// True if the format states an instant that is the same in every time zone.
  package var statesZone: Bool { statesInstant && self != .withoutZone && self != .spaced }

  /// Returns the day that a value holds; `nil` if the value is not in this format.
  ///
  /// - Parameter zone: the time zone in which an instant becomes a day.
  package func day(_ value: JSONValue, in zone: TimeZone = .gmt) -> CalendarDate? {
    let day: CalendarDate? =
      switch self {
      case .day: value.word.flatMap { CalendarDate($0) }
      case .dayOfInstant: value.word.flatMap(Self.leadingDay)
      case .dayMonthYear: value.word.flatMap { Self.day($0, "/", ["d", "m", "y"]) }
      case .monthDayYear: value.word.flatMap { Self.day($0, "/", ["m", "d", "y"]) }
      case .dottedDay: value.word.flatMap { Self.day($0, ".", ["d", "m", "y"]) }
      case .digits: value.word.flatMap(Self.dayOfDigits)
      case .object: Self.day(ofMembers: value)
      case .instant, .withoutZone, .spaced, .seconds, .milliseconds, .http, .dotNet:
        instant(value)?.day(in: zone)
      }
    return day.flatMap { $0.isPlaceholder ? nil : $0 }
  }

  /// Returns the instant that a value holds; `nil` if the value is not in this format.
  ///
  /// For a day, it is the first instant of the day in UTC.
  package func instant(_ value: JSONValue) -> Timestamp? {
    switch self {
    case .day, .dayOfInstant, .dayMonthYear, .monthDayYear, .dottedDay, .digits, .object:
      day(value).map {
        Timestamp(microsecondsSinceEpoch: Int64($0.daysSinceEpoch) * 86_400_000_000)
      }
    case .dotNet: value.word.flatMap(Self.milliseconds).flatMap { Self.milliseconds.instant($0) }
    case .instant:
      value.word.flatMap { Timestamp($0) ?? Timestamp(Self.withSeconds(Self.withColon($0))) }
    case .withoutZone, .spaced:
      value.word.flatMap { Timestamp($0 + "Z") ?? Timestamp(Self.withSeconds($0) + "Z") }
    case .seconds: Self.timestamp(value, microseconds: 1_000_000)
    case .milliseconds: Self.timestamp(value, microseconds: 1_000)
    case .http: value.word.flatMap(HTTPDate.parse).map { Timestamp($0) }
    }
  }

  /// Returns true for a value that stands for no date: 0 seconds, or a text that begins with a
  /// placeholder, such as `0000-00-00` of MySQL or `1900-01-01` of SQL Server.
  ///
  /// - Parameter others: further beginnings of such values.
  package func isNoDate(_ value: JSONValue, besides others: [String] = []) -> Bool {
    if !others.isEmpty, let word = value.word, others.contains(where: word.hasPrefix) {
      return true
    }
    if self == .seconds || self == .milliseconds { return value.decimal == .zero }
    guard let word = value.word else { return false }
    // Nearly every date begins with a 2.
    return word.utf8.first != UInt8(ascii: "2") && Self.placeholders.contains(where: word.hasPrefix)
  }

  /// The beginnings of texts that stand for no date; those that are days are
  /// `CalendarDate.isPlaceholder`, here in any time zone.
  private static let placeholders = [
    "0000-00-00", "-0001-11-30", "0001-01-01", "1899-12-30", "1900-01-01", "9999-12-31",
  ]

  /// Returns the text of an instant for a request, truncated to ``unit``.
  package func text(of instant: Timestamp) -> String {
    let microseconds = instant.microsecondsSinceEpoch
    return switch self {
    // A date object has no text of its own.
    case .day, .dayOfInstant, .object: instant.utcDay?.description ?? ""
    case .dayMonthYear, .monthDayYear, .dottedDay, .digits: instant.utcDay.map(text) ?? ""
    case .dotNet: "/Date(\(microseconds / 1_000))/"
    case .instant: instant.truncatedToSecond.description
    case .withoutZone: String(instant.truncatedToSecond.description.dropLast())
    case .spaced:
      String(instant.truncatedToSecond.description.dropLast()).replacing("T", with: " ")
    case .seconds: "\(microseconds / 1_000_000)"
    case .milliseconds: "\(microseconds / 1_000)"
    case .http: HTTPDate.text(of: instant.truncatedToSecond.date) ?? ""
    }
  }

  /// The smallest difference that ``text(of:)`` can express, in seconds.
  package var unit: Int64 { statesInstant ? 1 : 86_400 }

  private func text(of day: CalendarDate) -> String {
    let parts = day.description.split(separator: "-").map(String.init)
    guard parts.count == 3 else { return day.description }
    return switch self {
    case .dayMonthYear: "\(parts[2])/\(parts[1])/\(parts[0])"
    case .monthDayYear: "\(parts[1])/\(parts[2])/\(parts[0])"
    case .dottedDay: "\(parts[2]).\(parts[1]).\(parts[0])"
    case .digits: parts.joined()
    default: day.description
    }
  }

  /// Reads the parts of a day in the order of the format; a day or month may have one digit.
  private static func day(
    _ text: String, _ separator: Character, _ order: [Character]
  ) -> CalendarDate? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }) else { return nil }
    var numbers: [Character: Int] = [:]
    for (name, part) in zip(order, parts) {
      guard name == "y" ? part.count == 4 : (1...2).contains(part.count) else { return nil }
      numbers[name] = Int(part)
    }
    guard let year = numbers["y"], let month = numbers["m"], let day = numbers["d"] else {
      return nil
    }
    return CalendarDate(year: year, month: month, day: day)
  }

  private static func dayOfDigits(_ text: String) -> CalendarDate? {
    guard text.count == 8, text.allSatisfy(\.isASCIIDigit) else { return nil }
    return CalendarDate("\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))")
  }

  private static func day(ofMembers value: JSONValue) -> CalendarDate? {
    guard case .object(let members) = value else { return nil }
    func number(_ name: String) -> Int? { members[name]?.word.flatMap { Int($0) } }
    guard let year = number("year"), let month = number("month"), let day = number("day") else {
      return nil
    }
    return CalendarDate(year: year, month: month, day: day)
  }

  /// Returns the milliseconds in `/Date(…)/`, whose slashes a server may escape or omit.
  private static func milliseconds(_ text: String) -> JSONValue? {
    guard let match = text.wholeMatch(of: #//?Date\((-?\d{1,16})([+-]\d{4})?\)/?/#) else {
      return nil
    }
    return ExactDecimal(String(match.output.1)).map(JSONValue.number)
  }

  /// Returns the text with a colon in its offset from UTC: `-08:00` for `-0800`.
  private static func withColon(_ text: String) -> String {
    let sign = text.dropLast(4).last
    guard sign == "+" || sign == "-" else { return text }
    return "\(text.dropLast(2)):\(text.suffix(2))"
  }

  /// Returns the text with seconds in its time: `08:00:00Z` for `08:00Z`.
  private static func withSeconds(_ text: String) -> String {
    let rest = text.dropFirst(16)
    guard text.dropFirst(13).first == ":", rest.first != ":" else { return text }
    return "\(text.prefix(16)):00\(rest)"
  }

  private static func leadingDay(_ text: String) -> CalendarDate? {
    let bytes = text.utf8.span
    guard bytes.count >= 10 else { return nil }
    if bytes.count > 10 {
      let after = bytes[10]
      guard after | 0x20 == UInt8(ascii: "t") || after == UInt8(ascii: " ") else { return nil }
    }
    return CalendarDate(utf8: bytes.extracting(0..<10))
  }

  private static func timestamp(_ value: JSONValue, microseconds factor: Int) -> Timestamp? {
    guard let number = value.decimal?.multiplied(by: ExactDecimal(factor)) else { return nil }
    var coefficient = number.coefficient
    // Truncate to microseconds.
    for _ in 0..<number.scale { coefficient /= 10 }
    guard let microseconds = Int64(exactly: coefficient) else { return nil }
    let instant = Timestamp(microsecondsSinceEpoch: microseconds)
    // An instant outside the calendar could not be stored as text or used in a request.
    return instant.utcDay == nil ? nil : instant
  }
}

/// The format in which a server writes amounts of money.
package enum RESTMoneyForm: String, Sendable, CaseIterable {
  case decimal
  /// `12.50`.
  case number = "decimal-number"
  /// `"12.50"`.
  case text = "decimal-string"
  /// `1250`, in the smallest unit of the currency.
  case minorUnits = "minor-units"
  /// `"1,234.50"`.
  case commaThousands = "comma-thousands"
  /// `"1.234,50"`.
  case commaDecimal = "comma-decimal"

  /// The format of numbers that are no amounts: with the same separators, if there are some.
  package var ofNumbers: RESTMoneyForm {
    switch self {
    case .commaThousands, .commaDecimal: self
    case .decimal, .number, .text, .minorUnits: .decimal
    }
  }

  package func amount(_ value: JSONValue, in currency: Currency?) -> ExactDecimal? {
    switch (self, value) {
    case (.text, .number), (.number, .text): return nil
    case (.minorUnits, _):
      guard let currency, let number = value.decimal else { return nil }
      return ExactDecimal(
        coefficient: number.coefficient, scale: number.scale + currency.minorUnitDigits)
    case (.commaThousands, .text(let text)): return Self.amount(text, thousands: ",", decimal: ".")
    case (.commaDecimal, .text(let text)): return Self.amount(text, thousands: ".", decimal: ",")
    default: return value.decimal
    }
  }

  /// Reads an amount with separators; spaces and apostrophes separate thousands as well.
  ///
  /// Groups have three digits, so that `1,5` is no amount with thousands.
  private static func amount(
    _ text: String, thousands: Character, decimal: Character
  ) -> ExactDecimal? {
    let parts = text.split(separator: decimal, omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count) else { return nil }
    let groups = parts[0].split(omittingEmptySubsequences: false) { character in
      character == thousands || character == "'" || character == "\u{2019}"
        || character.isWhitespace
    }
    guard groups.dropFirst().allSatisfy({ $0.count == 3 }) else { return nil }
    guard parts.count == 1 || !parts[1].isEmpty && parts[1].allSatisfy(\.isASCIIDigit) else {
      return nil
    }
    let digits = [groups.joined()] + parts.dropFirst().map(String.init)
    return ExactDecimal(digits.joined(separator: "."))
  }
}

/// The format in which a server writes a rate.
package enum RESTRateForm: String, Sendable, CaseIterable {
  /// `0.19` for 19 percent.
  case fraction
  /// `1900` for 19 percent.
  case basisPoints = "basis-points"

  /// Returns a rate of the server in percent.
  package func percent(_ rate: ExactDecimal) -> ExactDecimal? {
    switch self {
    case .fraction: rate.multiplied(by: ExactDecimal(100))?.normalized
    case .basisPoints:
      ExactDecimal(coefficient: rate.coefficient, scale: rate.scale + 2)?.normalized
    }
  }

  /// Returns a rate in percent as the server writes it.
  package func written(_ percent: ExactDecimal) -> ExactDecimal? {
    switch self {
    case .fraction: percent.divided(by: ExactDecimal(100), decimals: 12)
    case .basisPoints: percent.multiplied(by: ExactDecimal(100))?.normalized
    }
  }
}

/// The formats of a resource, for fields without a format of their own.
package struct RESTForms: Sendable, Equatable {
  package var money = RESTMoneyForm.decimal
  package var day = RESTDateForm.dayOfInstant
  package var instant = RESTDateForm.instant
  /// The beginnings of values that stand for no date, besides the usual ones.
  package var noDates: [String] = []
  /// The time zone in which instants become days; `nil` means UTC.
  package var timeZone: RESTTimeZone?

  /// True if each record states its time zone.
  var hasZoneOfRecord: Bool { if case .at? = timeZone { true } else { false } }

  package init() {}
}

/// The source of the time zone in which instants become days.
package enum RESTTimeZone: Sendable, Equatable {
  case named(TimeZone)
  /// Each record: an IANA name at a path. A record without a known name has its days in UTC.
  case at(RESTPath)

  /// A text that changes if days may change.
  var text: String {
    switch self {
    case .named(let zone): zone.identifier
    case .at(let path): "at " + path.description
    }
  }
}

extension JSONValue {
  /// The exact value of a number, or of a text that spells one; `nil` for other values.
  package var decimal: ExactDecimal? {
    switch self {
    case .number(let number): number
    case .text(let text): ExactDecimal(text)
    case .null, .bool, .list, .object, .unreadable: nil
    }
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
