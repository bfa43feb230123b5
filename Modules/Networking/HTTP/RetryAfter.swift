package import Foundation
package import HTTPTypes

/// The header `Retry-After` (RFC 9110 section 10.2.3).
package enum RetryAfter {
  /// The seconds to wait, from either of its forms; `nil` if it is absent or cannot be read.
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
