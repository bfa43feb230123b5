import Foundation

/// JSON as the program prints it: keys in a stable order, no escaped slashes; on one line, or
/// indented where a terminal shows it.
enum JSONText {
  static func encode(_ value: some Encodable, isPretty: Bool = false) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Every document here is made of texts, numbers and lists: there is nothing that cannot be
    // encoded, and an empty object would at least be JSON.
    guard let data = try? encoder.encode(value) else { return "{}" }
    let text = String(decoding: data, as: UTF8.self)
    return isPretty ? indented(text) : text
  }

  /// Compact JSON with a line for each member and element, as it stands so many levels deep.
  ///
  /// Foundation's own form writes an empty list over three lines.
  static func indented(_ compact: String, level: Int = 0) -> String {
    var text: [UInt8] = []
    var level = level
    func newLine() {
      text.append(UInt8(ascii: "\n"))
      text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
    }
    var (isText, isEscaped, isAfterOpening) = (false, false, false)
    for byte in compact.utf8 {
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
    return String(decoding: text, as: UTF8.self)
  }
}

/// A value that is written as `null` where it is absent, instead of being left out.
struct Nullable<Value: Encodable>: Encodable {
  let value: Value?

  init(_ value: Value?) { self.value = value }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value { try container.encode(value) } else { try container.encodeNil() }
  }
}
