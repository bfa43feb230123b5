/// The pieces of compact JSON.
enum DocumentText {
  static let null = Array("null".utf8)

  static func text(_ value: Bool) -> [UInt8] { Array((value ? "true" : "false").utf8) }

  static func text(_ value: some BinaryInteger) -> [UInt8] { Array(String(value).utf8) }

  /// Returns a number; a whole one has no decimals.
  static func text(_ value: Double) -> [UInt8] {
    let text = value.description
    return Array((text.hasSuffix(".0") ? String(text.dropLast(2)) : text).utf8)
  }

  /// Returns a text between quotes; only what RFC 8259 section 7 requires is escaped.
  static func quoted(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { bytes in
      var quoted: [UInt8] = []
      quoted.reserveCapacity(bytes.count + 2)
      quoted.append(UInt8(ascii: "\""))
      appendEscaped(bytes, to: &quoted)
      quoted.append(UInt8(ascii: "\""))
      return quoted
    }
  }

  /// Appends the bytes of a text, escaped as inside quotes.
  static func appendEscaped(_ bytes: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]) {
    var needsEscape = false
    // Without an early end, the compiler compares many bytes at a time.
    for byte in bytes {
      needsEscape =
        needsEscape || byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
    guard needsEscape else { return text.append(contentsOf: bytes) }
    for byte in bytes { append(byte, to: &text) }
  }

  private static func append(_ byte: UInt8, to text: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
    case 0x08: text += Array(#"\b"#.utf8)
    case 0x09: text += Array(#"\t"#.utf8)
    case 0x0A: text += Array(#"\n"#.utf8)
    case 0x0C: text += Array(#"\f"#.utf8)
    case 0x0D: text += Array(#"\r"#.utf8)
    case 0..<0x20: text += Array(#"\u00"#.utf8) + Array((byte < 16 ? "0" : "").utf8) + hex(byte)
    default: text.append(byte)
    }
  }

  private static func hex(_ byte: UInt8) -> [UInt8] { Array(String(byte, radix: 16).utf8) }

  /// Returns values with commas between them, inside brackets.
  static func joined(_ values: [[UInt8]], _ opening: UInt8, _ closing: UInt8) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(values.reduce(2) { $0 + $1.count + 1 })
    text.append(opening)
    for (index, value) in values.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text.append(contentsOf: value)
    }
    text.append(closing)
    return text
  }
}
