public import Foundation

/// An instant on the UTC time line, to the microsecond.
///
/// Whole numbers, not `Date`'s floating point: a watermark that is one bit off skips an invoice.
public struct Timestamp: Sendable, Hashable {
  /// Microseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
  public let microsecondsSinceEpoch: Int64

  /// Creates an instant from microseconds since 1970.
  public init(microsecondsSinceEpoch: Int64) {
    self.microsecondsSinceEpoch = microsecondsSinceEpoch
  }

  /// Creates an instant from milliseconds since 1970, or `nil` where they do not fit.
  public init?(millisecondsSinceEpoch: Int64) {
    let (product, overflow) = millisecondsSinceEpoch.multipliedReportingOverflow(by: 1_000)
    guard !overflow else { return nil }
    self.init(microsecondsSinceEpoch: product)
  }

  /// Creates the instant of a Foundation date, rounded down to the microsecond.
  public init(_ date: Date) {
    self.init(
      microsecondsSinceEpoch: Int64((date.timeIntervalSince1970 * 1_000_000).rounded(.down)))
  }

  /// The instant as a Foundation date, for arithmetic with calendars and formatters.
  public var date: Date {
    Date(timeIntervalSince1970: Double(microsecondsSinceEpoch) / 1_000_000)
  }

  /// The day this instant falls on in UTC, or `nil` outside the years 1 to 9999.
  public var utcDay: CalendarDate? {
    CalendarDate(
      daysSinceEpoch: Int(microsecondsSinceEpoch.floorDivided(by: Self.microsecondsPerDay)))
  }

  /// The same instant with the part below a second cut off, towards the past.
  public var truncatedToSecond: Timestamp {
    Timestamp(
      microsecondsSinceEpoch: microsecondsSinceEpoch.floorDivided(by: 1_000_000) * 1_000_000)
  }

  /// The instant moved by a number of seconds.
  public func adding(seconds: Int64) -> Timestamp {
    Timestamp(microsecondsSinceEpoch: microsecondsSinceEpoch &+ seconds &* 1_000_000)
  }

  static let microsecondsPerDay: Int64 = 86_400_000_000
}

extension Timestamp: Comparable {
  /// Orders from the earlier to the later.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.microsecondsSinceEpoch < right.microsecondsSinceEpoch
  }
}

extension Timestamp: CustomStringConvertible, LosslessStringConvertible {
  /// The instant as RFC 3339 in UTC, with milliseconds or microseconds only where there are any.
  public var description: String {
    let microseconds = microsecondsSinceEpoch
    let days = microseconds.floorDivided(by: Self.microsecondsPerDay)
    let rest = Int(microseconds - days * Self.microsecondsPerDay)
    let (seconds, fraction) = (rest / 1_000_000, rest % 1_000_000)
    let day = CalendarDate(daysSinceEpoch: Int(days)).map(String.init(describing:)) ?? "0000-00-00"
    let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, to: 2) }
    let decimals =
      switch fraction {
      case 0: ""
      case let fraction where fraction % 1_000 == 0: "." + padded(fraction / 1_000, to: 3)
      default: "." + padded(fraction, to: 6)
      }
    return "\(day)T\(time.joined(separator: ":"))\(decimals)Z"
  }

  /// Reads RFC 3339 text with `Z` or a numeric offset; digits below a microsecond are cut off.
  public init?(_ description: String) {
    let pattern =
      #/^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,18}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/#
    guard let match = description.wholeMatch(of: pattern)?.output,
      let day = CalendarDate(String(match.1)),
      let hour = Int64(match.2), hour < 24, let minute = Int64(match.3), minute < 60,
      let second = Int64(match.4), second <= 60
    else { return nil }
    var offset: Int64 = 0
    if let sign = match.6 {
      guard let hours = match.7.flatMap({ Int64($0) }), hours < 24,
        let minutes = match.8.flatMap({ Int64($0) }), minutes < 60
      else { return nil }
      offset = (hours * 60 + minutes) * (sign == "-" ? -60 : 60)
    }
    let digits = (match.5.map(String.init) ?? "").prefix(6)
    let fraction = Int64(digits + String(repeating: "0", count: 6 - digits.count)) ?? 0
    let seconds =
      Int64(day.daysSinceEpoch) * 86_400 + hour * 3_600 + minute * 60 + second - offset
    self.init(microsecondsSinceEpoch: seconds * 1_000_000 + fraction)
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
  func floorDivided(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
