public import Models

/// Reads JSON (RFC 8259) from bytes, value by value, without building a tree.
///
/// Numbers keep their own digits: a conversion to `Double` would already lose money. The depth of
/// values that are read is limited, so no input can overflow the stack; skipped values may have any
/// depth.
///
/// A cancelled task stops reading within some thousands of values, with a `CancellationError`.
public struct JSONReader: Sendable {
  let bytes: [UInt8]
  package internal(set) var position = 0
  var depth = 0
  var keys = DuplicateKeyDetector()
  private var count = 0
  var tree = JSONKeyTree()

  /// The deepest nesting that is read.
  public static let maximumDepth = 128

  /// Creates a reader before the first value.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // RFC 8259 8.1 lets a reader ignore a byte order mark.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Reads an object; `body` must read or skip the value of each key.
  ///
  /// A duplicate key is an error: with two totals, the right one is unknown.
  public mutating func readObject(
    _ body: (inout JSONReader, _ key: JSONKey) throws -> Void
  ) throws {
    try readMembers { reader, key, isRepeated in
      guard !isRepeated else {
        throw JSONError(
          reason: .unexpected("the key is given twice"), offset: reader.position,
          concernsObject: true)
      }
      try body(&reader, key)
    }
  }

  /// Reads an object in which keys may be repeated; `body` receives whether each key is a
  /// repetition.
  @inline(__always)
  package mutating func readMembers(
    _ body: (inout JSONReader, _ key: JSONKey, _ isRepeated: Bool) throws -> Void
  ) throws {
    try open(UInt8(ascii: "{"), "an object")
    let outer = keys.enter()
    if try !closes(UInt8(ascii: "}")) {
      repeat {
        let (key, isRepeated) = try readKey()
        skipSpace()
        try take(UInt8(ascii: ":"))
        do { try body(&self, key, isRepeated) } catch var error as JSONError {
          error.path.insert("\(key)", at: 0)
          throw error
        }
      } while try continues(until: UInt8(ascii: "}"))
    }
    keys.leave(to: outer)
    depth -= 1
  }

  /// Reads an array; `body` must read or skip each element.
  public mutating func readArray(_ body: (inout JSONReader) throws -> Void) throws {
    try open(UInt8(ascii: "["), "an array")
    var index = 0
    if try !closes(UInt8(ascii: "]")) {
      repeat {
        do { try body(&self) } catch var error as JSONError {
          error.path.insert("[\(index)]", at: 0)
          throw error
        }
        index += 1
      } while try continues(until: UInt8(ascii: "]"))
    }
    depth -= 1
  }

  /// Reads `null` if it is the next value.
  public mutating func readNull() throws -> Bool {
    skipSpace()
    guard peek() == UInt8(ascii: "n") else { return false }
    try takeWord("null")
    return true
  }

  /// Reads `true` or `false`.
  public mutating func readBool() throws -> Bool {
    skipSpace()
    switch peek() {
    case UInt8(ascii: "t"):
      try takeWord("true")
      return true
    case UInt8(ascii: "f"):
      try takeWord("false")
      return false
    default: throw mismatch("true or false")
    }
  }

  /// Reads a number with all its digits.
  public mutating func readDecimal() throws -> ExactDecimal {
    skipSpace()
    guard let first = peek(), first == UInt8(ascii: "-") || first.isDigit else {
      throw mismatch("a number")
    }
    let start = position
    skipNumberCharacters()
    guard let value = ExactDecimal(utf8: bytes.span.extracting(start..<position)) else {
      throw JSONError(
        reason: .unexpected("not a number of at most \(ExactDecimal.maximumDigits) digits"),
        offset: start)
    }
    return value
  }

  /// Reads a whole number.
  public mutating func readInt() throws -> Int {
    let offset = position
    guard let value = Int(try readDecimal().description) else {
      throw JSONError(reason: .unexpected("not a whole number"), offset: offset)
    }
    return value
  }

  /// Counts a value, and looks up from time to time: a server may send any number of them.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  @inline(__always)
  mutating func lookUp() throws {
    count &+= 1
    if count & 0xFFF == 0 { try Task.checkCancellation() }
  }

  /// A position to which the reader can return.
  package struct Mark {
    fileprivate let position: Int
    fileprivate let depth: Int
    fileprivate let keys: DuplicateKeyDetector.Mark
  }

  package var mark: Mark { Mark(position: position, depth: depth, keys: keys.mark) }

  /// Returns to an earlier position, to read the value there in another way.
  package mutating func rewind(to mark: Mark) {
    position = mark.position
    depth = mark.depth
    keys.rewind(to: mark.keys)
  }

  /// Moves to a position, to read the value there as if it stood alone.
  package mutating func move(to position: Int) {
    rewind(to: Self([]).mark)
    self.position = position
  }

  /// Requires that only white space is left.
  public mutating func readEnd() throws {
    skipSpace()
    guard position == bytes.count else { throw malformed("text after the end") }
  }
}

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
