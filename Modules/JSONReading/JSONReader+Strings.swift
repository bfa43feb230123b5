extension JSONReader {
  /// A text between its quotes, without decoding.
  private struct Quoted {
    let range: Range<Int>
    let isASCII: Bool
  }

  /// Reads a string; invalid UTF-8, control characters and lone surrogates are refused.
  public mutating func readString() throws -> String {
    guard let quoted = try scanString() else { return try readEscaped() }
    return try text(of: quoted)
  }

  /// Reads a string whose bytes a function parses, without creating a `String`.
  package mutating func readText<Value>(_ read: (Span<UInt8>) -> Value?) throws -> Value? {
    if let quoted = try scanString() { return read(bytes.span.extracting(quoted.range)) }
    let unescaped = try unescaped()
    return read(unescaped.span)
  }

  /// Reads the key of an object, and records whether it is a duplicate.
  mutating func readKey() throws -> (key: JSONKey, isRepeated: Bool) {
    let key = try scanKey()
    return (key, !keys.insert(key.hash))
  }

  /// Reads the key of an object.
  mutating func scanKey() throws -> JSONKey {
    skipSpace()
    guard let quoted = try scanString() else { return JSONKey(try readEscaped()) }
    return quoted.isASCII
      ? JSONKey(ascii: bytes.span, quoted.range)
      : JSONKey(try text(of: quoted))
  }

  /// Skips a string without escapes; at a string with escapes, the reader stays before it.
  private mutating func scanString() throws -> Quoted? {
    skipSpace()
    guard peek() == UInt8(ascii: "\"") else { throw mismatch("text") }
    let start = position + 1
    let plain = PlainText(bytes.span, from: start)
    guard plain.end < bytes.count else {
      position = bytes.count
      throw malformed("unexpected end of the text")
    }
    switch bytes[plain.end] {
    case UInt8(ascii: "\""):
      position = plain.end + 1
      return Quoted(range: start..<plain.end, isASCII: plain.isASCII)
    case UInt8(ascii: "\\"): return nil
    default:
      position = plain.end
      throw malformed("a control character in a text")
    }
  }

  private func text(of quoted: Quoted) throws -> String {
    let text = bytes.span.extracting(quoted.range)
    // ASCII is UTF-8, and most texts are ASCII: validating them would read each a second time.
    if quoted.isASCII {
      return String(copying: unsafe UTF8Span(unchecked: text, isKnownASCII: true))
    }
    guard let text = try? UTF8Span(validating: text) else {
      throw JSONError(reason: .unexpected("not UTF-8"), offset: quoted.range.lowerBound)
    }
    return String(copying: text)
  }

  /// Reads a string from its opening quote.
  private mutating func readEscaped() throws -> String {
    let start = position + 1
    guard let text = String(validating: try unescaped(), as: UTF8.self) else {
      throw JSONError(reason: .unexpected("not UTF-8"), offset: start)
    }
    return text
  }

  /// Reads the bytes of a string from its opening quote, without its escapes.
  private mutating func unescaped() throws -> [UInt8] {
    position += 1
    var unescaped: [UInt8] = []
    while true {
      let end = PlainText(bytes.span, from: position).end
      unescaped += bytes[position..<end]
      position = end
      guard let byte = peek() else { throw malformed("unexpected end of the text") }
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return unescaped
      case UInt8(ascii: "\\"): unescaped += try readEscape().utf8
      default: throw malformed("a control character in a text")
      }
    }
  }

  private mutating func readEscape() throws -> Unicode.Scalar {
    guard let byte = peek() else { throw malformed("unexpected end of the text") }
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
    // Only a high surrogate followed by a low one makes a character (RFC 8259 section 7).
    guard first < 0xDC00, peek() == UInt8(ascii: "\\") else { throw halfCharacter }
    position += 1
    guard peek() == UInt8(ascii: "u") else { throw halfCharacter }
    position += 1
    let second = try readHexadecimal()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw halfCharacter }
    return scalar
  }

  /// A lone surrogate is valid by the grammar (RFC 8259 section 8.2), so the rows around it can be
  /// read.
  private var halfCharacter: JSONError {
    JSONError(reason: .unexpected("half a character"), offset: position)
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
}
