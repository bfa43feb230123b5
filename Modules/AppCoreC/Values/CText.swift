import Glibc

/// Texts that cross the C interface.
enum CText {
  /// Returns the text that a caller passed; `nil` for `NULL`.
  ///
  /// - Throws: ``Misuse/badText(parameter:)``.
  static func optional(_ text: UnsafePointer<CChar>?, _ parameter: String) throws -> String? {
    guard let text else { return nil }
    guard let valid = String(validatingCString: text) else {
      throw Misuse.badText(parameter: parameter)
    }
    return valid
  }

  /// Returns the text that a caller has to pass.
  ///
  /// - Throws: ``Misuse/badText(parameter:)``.
  static func required(_ text: UnsafePointer<CChar>?, _ parameter: String) throws -> String {
    guard let text = try optional(text, parameter) else {
      throw Misuse.badText(parameter: parameter)
    }
    return text
  }

  /// Returns a copy that ``free(_:)`` releases; `nil` if there is no memory left.
  static func copy(_ text: String) -> UnsafeMutablePointer<CChar>? {
    var text = text
    return text.withUTF8 { bytes in
      guard let memory = malloc(bytes.count + 1) else { return nil }
      let copy = memory.bindMemory(to: CChar.self, capacity: bytes.count + 1)
      // A text from a server may contain a zero byte, which would end it early.
      for (index, byte) in bytes.enumerated() {
        copy[index] = byte == 0 ? CChar(bitPattern: UInt8(ascii: " ")) : CChar(bitPattern: byte)
      }
      copy[bytes.count] = 0
      return copy
    }
  }

  static func free(_ text: UnsafePointer<CChar>?) {
    Glibc.free(UnsafeMutablePointer(mutating: text))
  }
}
