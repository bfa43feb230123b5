public import Foundation

/// An instant on the UTC time line, to the microsecond.
///
/// It is a whole number, not `Date`'s floating point: a watermark that is one bit off skips an
/// invoice.
public struct Timestamp: Sendable, Hashable {
  /// Microseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
  public let microsecondsSinceEpoch: Int64

  /// Creates an instant from microseconds since 1970.
  public init(microsecondsSinceEpoch: Int64) {
    self.microsecondsSinceEpoch = microsecondsSinceEpoch
  }

  /// Creates an instant from milliseconds since 1970, or `nil` outside the years 1 to 9999.
  public init?(millisecondsSinceEpoch: Int64) {
    guard (-62_135_596_800_000...253_402_300_799_999).contains(millisecondsSinceEpoch) else {
      return nil
    }
    self.init(microsecondsSinceEpoch: millisecondsSinceEpoch * 1_000)
  }

  /// Creates the instant of a Foundation date, rounded down to the microsecond.
  ///
  /// A date that is hundreds of thousands of years away becomes the nearest instant.
  public init(_ date: Date) {
    let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded(.down)
    self.init(
      microsecondsSinceEpoch: Int64(exactly: microseconds) ?? (microseconds < 0 ? .min : .max))
  }

  /// The instant as a Foundation date, for arithmetic with calendars and formatters.
  public var date: Date {
    Date(timeIntervalSince1970: Double(microsecondsSinceEpoch) / 1_000_000)
  }

  /// The day of this instant in UTC, or `nil` outside the years 1 to 9999.
  public var utcDay: CalendarDate? {
    CalendarDate(
      daysSinceEpoch: Int(microsecondsSinceEpoch.floorDivided(by: Self.microsecondsPerDay)))
  }

  /// Returns the day of this instant in a time zone, or `nil` outside the years 1 to 9999.
  public func day(in zone: TimeZone) -> CalendarDate? {
    let offset = Int64(zone.secondsFromGMT(for: date)) * 1_000_000
    let (local, isTooFar) = microsecondsSinceEpoch.addingReportingOverflow(offset)
    return isTooFar ? nil : Timestamp(microsecondsSinceEpoch: local).utcDay
  }

  /// The same instant, rounded down to the second.
  public var truncatedToSecond: Timestamp {
    let (whole, overflow) = microsecondsSinceEpoch.subtractingReportingOverflow(
      microsecondsSinceEpoch.floorRemainder(of: 1_000_000))
    return Timestamp(microsecondsSinceEpoch: overflow ? .min : whole)
  }

  /// Returns the instant moved by a number of seconds, limited to the years 1 to 9999, because
  /// later or earlier instants cannot be written.
  public func adding(seconds: Int64) -> Timestamp {
    let (microseconds, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (moved, isBeyond) = microsecondsSinceEpoch.addingReportingOverflow(microseconds)
    guard !isTooFar, !isBeyond else { return seconds < 0 ? .earliest : .latest }
    return min(max(Timestamp(microsecondsSinceEpoch: moved), .earliest), .latest)
  }

  private static let earliest = Timestamp(microsecondsSinceEpoch: -62_135_596_800_000_000)
  private static let latest = Timestamp(microsecondsSinceEpoch: 253_402_300_799_999_999)

  static let microsecondsPerDay: Int64 = 86_400_000_000
}

extension Timestamp: Comparable {
  /// Orders instants from earlier to later.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.microsecondsSinceEpoch < right.microsecondsSinceEpoch
  }
}

extension Timestamp: CustomStringConvertible, LosslessStringConvertible {
  /// The instant as RFC 3339 in UTC, with milliseconds or microseconds only if there are any.
  public var description: String {
    var bytes: [UInt8] = []
    appendText(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text of ``description``, without creating a string.
  package func appendText(to bytes: inout [UInt8]) {
    let days = microsecondsSinceEpoch.floorDivided(by: Self.microsecondsPerDay)
    let rest = Int(microsecondsSinceEpoch.floorRemainder(of: Self.microsecondsPerDay))
    let (seconds, fraction) = (rest / 1_000_000, rest % 1_000_000)
    func append(_ number: Int, _ digits: Int) {
      var unit = 1
      for _ in 1..<digits { unit *= 10 }
      while unit > 0 {
        bytes.append(UInt8(ascii: "0") + UInt8(number / unit % 10))
        unit /= 10
      }
    }
    if let day = CalendarDate(daysSinceEpoch: Int(days)) {
      day.appendText(to: &bytes)
    } else {
      bytes.append(contentsOf: "0000-00-00".utf8)
    }
    bytes.append(UInt8(ascii: "T"))
    append(seconds / 3_600, 2)
    bytes.append(UInt8(ascii: ":"))
    append(seconds / 60 % 60, 2)
    bytes.append(UInt8(ascii: ":"))
    append(seconds % 60, 2)
    if fraction > 0 {
      bytes.append(UInt8(ascii: "."))
      if fraction % 1_000 == 0 { append(fraction / 1_000, 3) } else { append(fraction, 6) }
    }
    bytes.append(UInt8(ascii: "Z"))
  }

  /// Parses RFC 3339 text with `Z` or a numeric offset; digits below a microsecond are dropped.
  public init?(_ description: String) {
    // It parses by hand: some providers have several instants in each row, and a regular expression
    // takes as long as the rest of the row.
    let bytes = Array(description.utf8)
    func number(at index: Int) -> Int64? {
      guard index + 1 < bytes.count, let tens = bytes[index].digit,
        let ones = bytes[index + 1].digit
      else { return nil }
      return tens * 10 + ones
    }
    guard bytes.count >= 20, let day = CalendarDate(utf8: bytes.span.extracting(..<10)),
      [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(bytes[10]),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      let hour = number(at: 11), hour < 24, let minute = number(at: 14), minute < 60,
      let second = number(at: 17), second <= 60
    else { return nil }
    var index = 19
    var fraction: Int64 = 0
    if bytes[index] == UInt8(ascii: ".") {
      let start = index + 1
      index = start
      while index < bytes.count, let digit = bytes[index].digit {
        if index < start + 6 { fraction = fraction * 10 + digit }
        index += 1
      }
      guard (1...18).contains(index - start) else { return nil }
      for _ in min(index - start, 6)..<6 { fraction *= 10 }
    }
    guard index < bytes.count, let offset = Self.offset(bytes[index...], number(at:)) else {
      return nil
    }
    let seconds =
      Int64(day.daysSinceEpoch) * 86_400 + hour * 3_600 + minute * 60 + second - offset
    self.init(microsecondsSinceEpoch: seconds * 1_000_000 + fraction)
    // An offset can lead outside the calendar.
    guard (Self.earliest...Self.latest).contains(self) else { return nil }
  }

  /// Returns the seconds of an offset such as `Z` or `+01:00`.
  private static func offset(_ zone: ArraySlice<UInt8>, _ number: (Int) -> Int64?) -> Int64? {
    let start = zone.startIndex
    switch zone.first {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"): return zone.count == 1 ? 0 : nil
    case let sign? where sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"):
      guard zone.count == 6, zone[start + 3] == UInt8(ascii: ":"), let hours = number(start + 1),
        hours < 24, let minutes = number(start + 4), minutes < 60
      else { return nil }
      return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -60 : 60)
    default: return nil
    }
  }
}

extension UInt8 {
  fileprivate var digit: Int64? {
    let value = self &- UInt8(ascii: "0")
    return value <= 9 ? Int64(value) : nil
  }
}

extension Timestamp: Codable {
  /// Decodes from its text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = Timestamp(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not RFC 3339")
    }
    self = value
  }

  /// Encodes as its text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Int64 {
  /// Returns the remainder of a division that rounds down; never negative.
  func floorRemainder(of divisor: Int64) -> Int64 {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }

  func floorDivided(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
