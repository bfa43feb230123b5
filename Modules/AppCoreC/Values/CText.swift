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
      if let start = bytes.baseAddress { memcpy(memory, start, bytes.count) }
      // A text from a server may contain a zero byte, which would end it early.
      var position = 0
      while let zero = memchr(memory + position, 0, bytes.count - position) {
        zero.storeBytes(of: UInt8(ascii: " "), as: UInt8.self)
        position = memory.distance(to: zero) + 1
      }
      let copy = memory.bindMemory(to: CChar.self, capacity: bytes.count + 1)
      copy[bytes.count] = 0
      return copy
    }
  }

  static func free(_ text: UnsafePointer<CChar>?) {
    Glibc.free(UnsafeMutablePointer(mutating: text))
  }
}
