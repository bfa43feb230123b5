package import Foundation
import Glibc

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
