package import Foundation
import Glibc
package import HTTPTypes

/// The dates of HTTP: one form for writing, three for reading (RFC 9110 section 5.6.7).
package enum HTTPDate {
  static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

  /// Returns a date as `Fri, 31 May 2024 08:00:00 GMT`, truncated to the second.
  ///
  /// - Returns: `nil` outside the years 1 to 9999.
  package static func text(of date: Date) -> String? {
    guard abs(date.timeIntervalSince1970) < 1e12 else { return nil }
    var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let year = Int(parts.tm_year) + 1_900
    guard (1...9_999).contains(year) else { return nil }
    func padded(_ number: some BinaryInteger, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded($0, 2) }
    return "\(weekdays[Int(parts.tm_wday)]), \(padded(parts.tm_mday, 2)) "
      + "\(months[Int(parts.tm_mon)]) \(padded(year, 4)) \(time.joined(separator: ":")) GMT"
  }

  /// Parses a date; returns `nil` if the text is not a date or the date does not exist.
  package static func parse(_ text: String) -> Date? {
    let bytes = Array(text.utf8)
    return HTTPDateForm("Aaa, dd Xxx yyyy hh:mm:ss GMT").date(bytes[...])
      ?? rfc850(bytes) ?? HTTPDateForm("Aaa Xxx _d hh:mm:ss yyyy").date(bytes[...])
  }

  /// Parses `Sunday, 06-Nov-94 08:49:37 GMT`.
  private static func rfc850(_ bytes: [UInt8]) -> Date? {
    guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")), comma > 1,
      HTTPDateForm.isUpper(bytes[0]), bytes[1..<comma].allSatisfy(HTTPDateForm.isLower)
    else { return nil }
    return HTTPDateForm(", dd-Xxx-yy hh:mm:ss GMT").date(bytes[comma...]) { short in
      // Two digits mean the nearest such year that is at most 50 years in the future.
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = .gmt
      let now = calendar.component(.year, from: Date())
      let year = now / 100 * 100 + short
      return year > now + 50 ? year - 100 : year
    }
  }
}

/// A form of date, compared byte by byte.
///
/// Nearly every response has a date; a regular expression and a calendar would take longer than
/// parsing the page that comes with it.
private struct HTTPDateForm {
  /// `A` and `a` stand for any letter, `X` and `x` for those of the month; `d`, `y`, `h`, `m` and
  /// `s` for digits, `_` for one that may be a blank; everything else for itself.
  private let form: String

  init(_ form: String) {
    self.form = form
  }

  /// Parses a date; returns `nil` if the text has another form or the date does not exist.
  ///
  /// - Parameter century: completes the written year.
  func date(_ text: ArraySlice<UInt8>, year century: (Int) -> Int = { $0 }) -> Date? {
    guard text.count == form.utf8.count else { return nil }
    var (day, year, hour, minute, second) = (0, 0, 0, 0, 0)
    var name: [UInt8] = []
    for (byte, sign) in zip(text, form.utf8) {
      switch sign {
      case UInt8(ascii: "A"): guard Self.isUpper(byte) else { return nil }
      case UInt8(ascii: "a"): guard Self.isLower(byte) else { return nil }
      case UInt8(ascii: "X"), UInt8(ascii: "x"): name.append(byte)
      case UInt8(ascii: "_"): guard byte == UInt8(ascii: " ") || add(byte, &day) else { return nil }
      case UInt8(ascii: "d"): guard add(byte, &day) else { return nil }
      case UInt8(ascii: "y"): guard add(byte, &year) else { return nil }
      case UInt8(ascii: "h"): guard add(byte, &hour) else { return nil }
      case UInt8(ascii: "m"): guard add(byte, &minute) else { return nil }
      case UInt8(ascii: "s"): guard add(byte, &second) else { return nil }
      default: guard byte == sign else { return nil }
      }
    }
    guard let month = Self.months.firstIndex(of: name), hour < 24, minute < 60, second < 60 else {
      return nil
    }
    year = century(year)
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1_900), Int32(month), Int32(day))
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (Int32(hour), Int32(minute), Int32(second))
    let seconds = timegm(&parts)
    // A day that does not exist becomes one of the next month.
    guard year > 0, parts.tm_mon == month, parts.tm_mday == day else { return nil }
    return Date(timeIntervalSince1970: Double(seconds))
  }

  static func isUpper(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  static func isLower(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  private static let months = HTTPDate.months.map { Array($0.utf8) }

  private func add(_ byte: UInt8, _ number: inout Int) -> Bool {
    let digit = byte &- UInt8(ascii: "0")
    guard digit <= 9 else { return false }
    number = number * 10 + Int(digit)
    return true
  }
}

/// The header `Retry-After` (RFC 9110 section 10.2.3).
package enum RetryAfter {
  /// Returns the seconds to wait, from either form; `nil` if the header is absent or malformed.
  package static func seconds(in head: HTTPResponse, now: Date) -> Double? {
    guard let value = head.headerFields[.retryAfter]?.trimmingCharacters(in: .whitespaces) else {
      return nil
    }
    if !value.isEmpty,
      value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    {
      // More than a year is practically forever, and must not overflow a duration.
      return min(Double(value) ?? .infinity, 366 * 86_400)
    }
    guard let date = HTTPDate.parse(value) else { return nil }
    return min(max(0, date.timeIntervalSince(now)), 366 * 86_400)
  }
}
