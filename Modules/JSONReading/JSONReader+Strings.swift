extension JSONReader {
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

/// The bytes of a text that need no decision: up to a quote, a backslash, a control character, or
/// the end of the input.
struct PlainText {
  /// The first byte after them.
  let end: Int
  let isASCII: Bool

  /// Reads eight bytes at a time: most of a page is text.
  init(_ bytes: Span<UInt8>, from start: Int) {
    let raw = bytes.bytes
    var index = start
    var all: UInt64 = 0
    while index + 8 <= raw.byteCount {
      // In bounds, because eight bytes follow the index.
      let word = UInt64(
        littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let special = Self.special(word)
      guard special == 0 else {
        let count = special.trailingZeroBitCount & ~7
        let before = word & ((1 << UInt64(count)) - 1)
        self.init(end: index + count / 8, all: all | before)
        return
      }
      all |= word
      index += 8
    }
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
      all |= UInt64(byte)
      index += 1
    }
    self.init(end: index, all: all)
  }

  private init(end: Int, all: UInt64) {
    self.end = end
    isASCII = all & Self.high == 0
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let high: UInt64 = 0x8080_8080_8080_8080

  /// Returns a word whose lowest set bit is the high bit of the first special byte; zero if there
  /// is none.
  ///
  /// The tests are those of "Bit Twiddling Hacks" (Sean Eron Anderson) for a zero byte and for one
  /// below a limit; they can be wrong only after a byte for which they are right.
  @inline(__always)
  private static func special(_ word: UInt64) -> UInt64 {
    let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    return high
      & ((quote &- ones) & ~quote | (backslash &- ones) & ~backslash
        | (word &- ones &* 0x20) & ~word)
  }
}
