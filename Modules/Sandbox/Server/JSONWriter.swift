import Models
import SystemSupport

/// Writes JSON text (RFC 8259) byte by byte, so that a decimal keeps its digits.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  static func object(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.object(members)
    return writer.bytes
  }

  static func array(_ elements: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.array(elements)
    return writer.bytes
  }

  mutating func object(_ members: (inout JSONWriter) -> Void) {
    enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
  }

  mutating func array(_ elements: (inout JSONWriter) -> Void) {
    enclose(UInt8(ascii: "["), UInt8(ascii: "]"), elements)
  }

  mutating func object(_ name: String, _ members: (inout JSONWriter) -> Void) {
    key(name)
    object(members)
  }

  mutating func array(_ name: String, _ elements: (inout JSONWriter) -> Void) {
    key(name)
    array(elements)
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

  /// Writes the member, as `null` if there is no value.
  mutating func member(orNull value: String?, _ name: String) {
    key(name)
    if let value { string(value) } else { literal("null") }
  }

  mutating func null(_ name: String) { member(orNull: String?.none, name) }

  mutating func member(orNull value: Int?, _ name: String) {
    key(name)
    literal(value.map(String.init) ?? "null")
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
      bytes.append(contentsOf: ("\\u00" + [byte].hexadecimal).utf8)
    default:
      bytes.append(byte)
    }
  }
}
