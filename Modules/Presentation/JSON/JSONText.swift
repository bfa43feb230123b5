/// The encoder of the JSON that the program prints.
///
/// Keys have a stable order, and slashes are not escaped. The text is one line, or indented for a
/// terminal.
package enum JSONText {
  package static func encode(_ value: some Encodable, isPretty: Bool = false) -> String {
    let bytes = bytes(of: value)
    return String(decoding: isPretty ? indented(bytes) : bytes, as: UTF8.self)
  }

  package static func bytes(of value: some Encodable) -> [UInt8] {
    // Encoding cannot fail: every document consists of strings, numbers and lists. An empty object
    // would at least be valid JSON.
    (try? DocumentEncoder.encode(value)) ?? Array("{}".utf8)
  }

  /// Indents compact JSON, with a line for each member and element, starting at the given level.
  ///
  /// Foundation's own pretty-printing writes an empty list over three lines.
  package static func indented(_ compact: [UInt8], level: Int = 0) -> [UInt8] {
    var text: [UInt8] = []
    var level = level
    func newLine() {
      text.append(UInt8(ascii: "\n"))
      text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
    }
    var (isText, isEscaped, isAfterOpening) = (false, false, false)
    for byte in compact {
      if isText {
        isText = byte != UInt8(ascii: "\"") || isEscaped
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        text.append(byte)
        continue
      }
      let isClosing = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
      if isClosing { level -= 1 }
      if isAfterOpening != isClosing { newLine() }
      text.append(byte)
      isAfterOpening = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
      if isAfterOpening { level += 1 }
      switch byte {
      case UInt8(ascii: "\""): isText = true
      case UInt8(ascii: ","): newLine()
      case UInt8(ascii: ":"): text.append(UInt8(ascii: " "))
      default: break
      }
    }
    return text
  }
}
