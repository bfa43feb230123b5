import Foundation

/// The encoding of queries and forms: `application/x-www-form-urlencoded` (WHATWG URL section 5).
package enum FormEncoding {
  /// Encodes fields in their order.
  package static func encode(_ fields: [(name: String, value: String)]) -> String {
    fields.map { "\(escape($0.name))=\(escape($0.value))" }.joined(separator: "&")
  }

  /// Escapes all characters except those that RFC 3986 section 2.3 calls unreserved.
  ///
  /// Servers disagree on the meaning of the others, especially `+`.
  ///
  /// - Parameter kept: further ASCII characters that are not escaped.
  package static func escape(_ text: String, keeping kept: StaticString = "") -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      case _ where kept.withUTF8Buffer { $0.contains(byte) }:
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }

  /// Decodes fields; returns `nil` if an escape is malformed or the bytes are not UTF-8.
  package static func decode(_ text: some StringProtocol) -> [(name: String, value: String)]? {
    var fields: [(name: String, value: String)] = []
    for part in text.split(separator: "&") {
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = unescape(halves[0]), let value = unescape(halves.count > 1 ? halves[1] : "")
      else { return nil }
      fields.append((name, value))
    }
    return fields
  }

  /// Decodes one name or value; returns `nil` as ``decode(_:)`` does.
  package static func unescape(_ text: some StringProtocol) -> String? {
    String(text).replacingOccurrences(of: "+", with: " ").removingPercentEncoding
  }
}
