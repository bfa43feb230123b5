extension JSONReader {
  /// Reads past a value of any kind, without recursion.
  public mutating func skipValue() throws {
    // One bit for each container that is open, set for an object.
    var objects: UInt128 = 0
    var level = 0
    repeat {
      skipSpace()
      switch peek() {
      case nil: throw malformed("the text ends too early")
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        objects = objects << 1 | (peek() == UInt8(ascii: "{") ? 1 : 0)
        level += 1
        guard level < Self.maximumDepth else { throw malformed("nested too deeply") }
        position += 1
        if try !skipEmpty(&objects, &level) { continue }
      case UInt8(ascii: "\""): try skipString()
      case UInt8(ascii: "t"): try takeWord("true")
      case UInt8(ascii: "f"): try takeWord("false")
      case UInt8(ascii: "n"): try takeWord("null")
      case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): skipNumberCharacters()
      default: throw malformed("a value was expected")
      }
      try skipAfterValue(&objects, &level)
    } while level > 0
  }

  /// Behind an opening bracket: closes it at once, or reads the first key of an object.
  private mutating func skipEmpty(_ objects: inout UInt128, _ level: inout Int) throws -> Bool {
    skipSpace()
    if peek() == Self.closer(objects) {
      position += 1
      objects >>= 1
      level -= 1
      return true
    }
    try skipKey(objects)
    return false
  }

  private mutating func skipAfterValue(_ objects: inout UInt128, _ level: inout Int) throws {
    while level > 0 {
      skipSpace()
      guard let byte = peek() else { throw malformed("the text ends too early") }
      guard byte == Self.closer(objects) || byte == UInt8(ascii: ",") else {
        throw malformed("a comma or the end was expected")
      }
      position += 1
      if byte == UInt8(ascii: ",") {
        try skipKey(objects)
        return
      }
      objects >>= 1
      level -= 1
    }
  }

  private static func closer(_ objects: UInt128) -> UInt8 {
    objects & 1 == 1 ? UInt8(ascii: "}") : UInt8(ascii: "]")
  }

  private mutating func skipKey(_ objects: UInt128) throws {
    guard objects & 1 == 1 else { return }
    skipSpace()
    try skipString()
    skipSpace()
    try take(UInt8(ascii: ":"))
  }

  private mutating func skipString() throws {
    try take(UInt8(ascii: "\""))
    while let byte = peek() {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return
      case UInt8(ascii: "\\"): position += 1
      case 0..<0x20: throw malformed("a control character in a text")
      default: break
      }
    }
    throw malformed("the text ends too early")
  }
}
