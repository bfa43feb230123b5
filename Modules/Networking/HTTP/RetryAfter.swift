package import Foundation
package import HTTPTypes

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
