import Models

/// Writes JSON text (RFC 8259) byte by byte, so that a decimal keeps its digits.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  mutating func object(_ members: (inout JSONWriter) -> Void) {
    enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
  }

  mutating func array(_ elements: (inout JSONWriter) -> Void) {
    enclose(UInt8(ascii: "["), UInt8(ascii: "]"), elements)
  }

  mutating func key(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func string(_ value: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    for byte in value.utf8 { appendEscaped(byte) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes text that is already JSON: a number, `true`, `false` or `null`.
  mutating func literal(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
  }

  mutating func member(_ name: String, _ value: String) {
    key(name)
    string(value)
  }

  mutating func member(_ name: String, _ value: ExactDecimal) {
    key(name)
    literal(value.description)
  }

  mutating func member(_ name: String, _ value: Int) {
    key(name)
    literal(String(value))
  }

  mutating func member(_ name: String, _ value: Bool) {
    key(name)
    literal(value ? "true" : "false")
  }

  /// Writes the member only if there is a value; otherwise it is omitted, not `null`.
  mutating func member(ifPresent value: String?, _ name: String) {
    if let value { member(name, value) }
  }

  private mutating func enclose(
    _ open: UInt8, _ close: UInt8, _ content: (inout JSONWriter) -> Void
  ) {
    separate()
    bytes.append(open)
    needsComma = false
    content(&self)
    bytes.append(close)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    case 0..<0x20:
      bytes.append(contentsOf: "\\u00".utf8)
      bytes.append(hexadecimalDigit(byte >> 4))
      bytes.append(hexadecimalDigit(byte & 0x0F))
    default:
      bytes.append(byte)
    }
  }
}

/// Returns the ASCII digit of a number below 16, in lower case.
func hexadecimalDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}
