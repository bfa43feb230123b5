// The steps of which the reading of a value consists.
extension JSONReader {
  mutating func open(_ byte: UInt8, _ expected: String) throws {
    skipSpace()
    guard peek() == byte else { throw mismatch(expected) }
    position += 1
    depth += 1
    // The JSON is valid, so the values around it can be read.
    guard depth <= Self.maximumDepth else { throw mistake("nested too deeply") }
  }

  mutating func closes(_ byte: UInt8) throws -> Bool {
    skipSpace()
    guard peek() == byte else { return false }
    position += 1
    return true
  }

  mutating func continues(until end: UInt8) throws -> Bool {
    try lookUp()
    skipSpace()
    guard let byte = peek() else { throw malformed("unexpected end of the text") }
    position += 1
    if byte == end { return false }
    guard byte == UInt8(ascii: ",") else {
      position -= 1
      throw malformed("expected a comma or the end")
    }
    skipSpace()
    return true
  }

  func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func take(_ byte: UInt8) throws {
    guard peek() == byte else {
      throw malformed("expected '\(Character(Unicode.Scalar(byte)))'")
    }
    position += 1
  }

  mutating func takeWord(_ word: String) throws {
    for byte in word.utf8 {
      guard peek() == byte else {
        throw peek() == nil ? malformed("unexpected end of the text") : mistake(Self.unknownWord)
      }
      position += 1
    }
  }

  /// The explanation of a word that JSON lacks, such as `NaN` or `+1`.
  ///
  /// Some programs write such words as numbers. The values around them can be read, because a word
  /// ends before a comma, a bracket or white space.
  private static let unknownWord = "not a JSON value"

  @inline(__always)
  mutating func skipSpace() {
    // Most APIs write no space between values.
    guard position < bytes.count, bytes[position] <= 0x20 else { return }
    skipSpaces()
  }

  private mutating func skipSpaces() {
    while position < bytes.count, bytes[position].isJSONSpace { position += 1 }
  }

  mutating func skipNumberCharacters() {
    while position < bytes.count, bytes[position].isNumberCharacter { position += 1 }
  }

  func malformed(_ what: String) -> JSONError {
    JSONError(reason: .malformed(what), offset: position)
  }

  /// Returns the error for an unexpected value: one of another kind, or a word that JSON lacks, is
  /// a mistake in the data; a missing one is malformed JSON.
  func mismatch(_ expected: String) -> JSONError {
    switch peek() {
    case nil: malformed("unexpected end of the text")
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "t"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "-"),
      .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
      JSONError(reason: .unexpected("expected \(expected)"), offset: position)
    case let byte? where byte.isWordCharacter: mistake(Self.unknownWord)
    default: malformed("expected \(expected)")
    }
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

  /// True for the characters of words, such as `null` and `-Infinity`, and of numbers.
  var isWordCharacter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 || isNumberCharacter }

  fileprivate var isNumberCharacter: Bool {
    isDigit || self == UInt8(ascii: ".") || self == UInt8(ascii: "-") || self == UInt8(ascii: "+")
      || self == UInt8(ascii: "e") || self == UInt8(ascii: "E")
  }
}
