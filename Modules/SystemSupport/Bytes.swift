import Foundation

extension Sequence<UInt8> {
  /// The bytes as two lower-case hexadecimal digits each.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0x0F)]] }, as: UTF8.self)
  }

  /// The bytes in base64url without padding (RFC 4648 section 5).
  package var base64URL: String {
    Data(self).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}

/// Bytes that cannot be guessed, from the system's cryptographic random source.
package enum RandomBytes {
  package static func make(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
