import Models
import Networking

/// Parses the `If-Modified-Since` header in the two forms that clients of Xero send.
enum ModifiedSince {
  /// Returns the instant in UTC, truncated to the second; `nil` if the text is not a time.
  ///
  /// Xero documents `2009-11-12T00:00:00`; HTTP itself uses `Thu, 12 Nov 2009 00:00:00 GMT` (RFC
  /// 9110 section 5.6.7, preferred form).
  static func instant(_ text: String) -> Timestamp? {
    let trimmed = text.trimmingPrefix { $0 == " " }
    let instant = httpDate(trimmed) ?? timestamp(trimmed)
    return instant?.truncatedToSecond
  }

  private static func timestamp(_ text: Substring) -> Timestamp? {
    Timestamp(String(text)) ?? Timestamp(text + "Z")
  }

  private static func httpDate(_ text: Substring) -> Timestamp? {
    HTTPDate.parse(String(text)).map { Timestamp($0) }
  }
}
