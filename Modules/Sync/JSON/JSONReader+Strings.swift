extension JSONReader {
  /// Reads a string; invalid UTF-8, control characters and lone surrogates are refused.
  package mutating func readString() throws -> String {
    skipSpace()
    guard peek() == UInt8(ascii: "\"") else { throw mismatch("text") }
    position += 1
    let start = position
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: "\""):
        let text = String(validating: bytes[start..<position], as: UTF8.self)
        position += 1
        guard let text else { throw JSONError(reason: .unexpected("not UTF-8"), offset: start) }
        return text
      case UInt8(ascii: "\\"):
        return try readEscaped(from: start)
      case 0..<0x20:
        throw malformed("a control character in a text")
      default:
        position += 1
      }
    }
    throw malformed("the text ends too early")
  }

  private mutating func readEscaped(from start: Int) throws -> String {
    var unescaped = Array(bytes[start..<position])
    while let byte = peek() {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: unescaped, as: UTF8.self) else {
          throw JSONError(reason: .unexpected("not UTF-8"), offset: start)
        }
        return text
      case UInt8(ascii: "\\"):
        unescaped += try readEscape().utf8
      case 0..<0x20:
        throw malformed("a control character in a text")
      default:
        unescaped.append(byte)
      }
    }
    throw malformed("the text ends too early")
  }

  private mutating func readEscape() throws -> Unicode.Scalar {
    guard let byte = peek() else { throw malformed("the text ends too early") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try readUnicodeEscape()
    default: throw malformed("an unknown escape")
    }
  }

  private mutating func readUnicodeEscape() throws -> Unicode.Scalar {
    let first = try readHexadecimal()
    if let scalar = Unicode.Scalar(first) { return scalar }
    // Only a high surrogate that a low one follows makes a character (RFC 8259 section 7).
    guard first < 0xDC00, peek() == UInt8(ascii: "\\") else { throw malformed("half a character") }
    position += 1
    try take(UInt8(ascii: "u"))
    let second = try readHexadecimal()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw malformed("half a character") }
    return scalar
  }

  private mutating func readHexadecimal() throws -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw malformed("a broken escape")
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  /// Reads past a value of any kind, without recursion.
  package mutating func skipValue() throws {
    var closers: [UInt8] = []
    repeat {
      skipSpace()
      switch peek() {
      case nil: throw malformed("the text ends too early")
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        closers.append(peek() == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        guard closers.count < Self.maximumDepth else { throw malformed("nested too deeply") }
        position += 1
        if try !skipEmpty(&closers) { continue }
      case UInt8(ascii: "\""): try skipString()
      case UInt8(ascii: "t"): try takeWord("true")
      case UInt8(ascii: "f"): try takeWord("false")
      case UInt8(ascii: "n"): try takeWord("null")
      case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): skipNumberCharacters()
      default: throw malformed("a value was expected")
      }
      try skipAfterValue(&closers)
    } while !closers.isEmpty
  }

  /// Behind an opening bracket: closes it at once, or reads the first key of an object.
  private mutating func skipEmpty(_ closers: inout [UInt8]) throws -> Bool {
    skipSpace()
    if let closer = closers.last, peek() == closer {
      position += 1
      closers.removeLast()
      return true
    }
    try skipKey(closers)
    return false
  }

  private mutating func skipAfterValue(_ closers: inout [UInt8]) throws {
    while let closer = closers.last {
      skipSpace()
      guard let byte = peek() else { throw malformed("the text ends too early") }
      guard byte == closer || byte == UInt8(ascii: ",") else {
        throw malformed("a comma or the end was expected")
      }
      position += 1
      if byte == UInt8(ascii: ",") {
        try skipKey(closers)
        return
      }
      closers.removeLast()
    }
  }

  private mutating func skipKey(_ closers: [UInt8]) throws {
    guard closers.last == UInt8(ascii: "}") else { return }
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
