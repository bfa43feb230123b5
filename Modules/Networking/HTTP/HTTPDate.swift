package import Foundation

/// The dates of HTTP: one form that is written, three that are read (RFC 9110 section 5.6.7).
package enum HTTPDate {
  /// Reads a date, or answers `nil` where it is none or does not exist.
  package static func parse(_ text: String) -> Date? {
    return fixed(text) ?? rfc850(text) ?? asctime(text)
  }

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func fixed(_ text: String) -> Date? {
    let pattern = #/[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT/#
    guard let match = text.wholeMatch(of: pattern)?.output else { return nil }
    return date(match.3, match.2, match.1, [match.4, match.5, match.6])
  }

  /// Reads `Sunday, 06-Nov-94 08:49:37 GMT`.
  private static func rfc850(_ text: String) -> Date? {
    let pattern = #/[A-Z][a-z]+, (\d{2})-([A-Z][a-z]{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT/#
    guard let match = text.wholeMatch(of: pattern)?.output, let short = Int(match.3) else {
      return nil
    }
    // Two digits mean the nearest such year that is not more than 50 years ahead.
    let now = calendar.component(.year, from: Date())
    let year = now / 100 * 100 + short
    let full = year > now + 50 ? year - 100 : year
    return date(Substring("\(full)"), match.2, match.1, [match.4, match.5, match.6])
  }

  /// Reads `Sun Nov  6 08:49:37 1994`.
  private static func asctime(_ text: String) -> Date? {
    let pattern = #/[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})/#
    guard let match = text.wholeMatch(of: pattern)?.output else { return nil }
    return date(
      match.6, match.1, match.2.drop { $0 == " " }, [match.3, match.4, match.5])
  }

  private static func date(
    _ year: Substring, _ month: Substring, _ day: Substring, _ time: [Substring]
  ) -> Date? {
    let numbers = time.compactMap { Int($0) }
    guard let month = months.firstIndex(of: String(month)), numbers.count == 3 else { return nil }
    let components = DateComponents(
      calendar: calendar, timeZone: .gmt, year: Int(year), month: month + 1, day: Int(day),
      hour: numbers[0], minute: numbers[1], second: numbers[2])
    return components.isValidDate ? components.date : nil
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()
}
