package import Foundation
package import HTTPTypes

/// The header `Retry-After` (RFC 9110 section 10.2.3).
package enum RetryAfter {
  /// The seconds to wait, from either of its forms; `nil` where it is absent or cannot be read.
  package static func seconds(in head: HTTPResponse, now: Date) -> Double? {
    guard let value = head.headerFields[.retryAfter]?.trimmingCharacters(in: .whitespaces) else {
      return nil
    }
    if !value.isEmpty,
      value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    {
      // More than a year is as good as for ever, and must not overflow a duration.
      return min(Double(value) ?? .infinity, 366 * 86_400)
    }
    guard let date = HTTPDate.parse(value) else { return nil }
    return min(max(0, date.timeIntervalSince(now)), 366 * 86_400)
  }
}

/// A date as HTTP writes it, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
package enum HTTPDate {
  package static func parse(_ text: String) -> Date? {
    let pattern = #/[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT/#
    guard let match = text.wholeMatch(of: pattern)?.output,
      let month = months.firstIndex(of: String(match.2))
    else { return nil }
    return Calendar.gregorianUTC.date(
      from: DateComponents(
        year: Int(match.3), month: month + 1, day: Int(match.1), hour: Int(match.4),
        minute: Int(match.5), second: Int(match.6)))
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}

extension Calendar {
  fileprivate static let gregorianUTC: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()
}
