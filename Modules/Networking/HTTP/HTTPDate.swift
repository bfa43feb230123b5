package import Foundation

/// The dates of HTTP: one form that is written, three that are read (RFC 9110 section 5.6.7).
package enum HTTPDate {
  /// Reads a date, or answers `nil` where it is none or does not exist.
  package static func parse(_ text: String) -> Date? {
    let bytes = Array(text.utf8)
    return HTTPDateForm("Aaa, dd Xxx yyyy hh:mm:ss GMT").date(bytes[...])
      ?? rfc850(bytes) ?? HTTPDateForm("Aaa Xxx _d hh:mm:ss yyyy").date(bytes[...])
  }

  /// Reads `Sunday, 06-Nov-94 08:49:37 GMT`.
  private static func rfc850(_ bytes: [UInt8]) -> Date? {
    guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")), comma > 1,
      HTTPDateForm.isUpper(bytes[0]), bytes[1..<comma].allSatisfy(HTTPDateForm.isLower)
    else { return nil }
    return HTTPDateForm(", dd-Xxx-yy hh:mm:ss GMT").date(bytes[comma...]) { short in
      // Two digits mean the nearest such year that is not more than 50 years ahead.
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = .gmt
      let now = calendar.component(.year, from: Date())
      let year = now / 100 * 100 + short
      return year > now + 50 ? year - 100 : year
    }
  }
}
