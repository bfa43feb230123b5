extension JSONReader {
  /// Skips a value of any kind and any depth, without recursion.
  public mutating func skipValue() throws {
    skipSpace()
    guard let byte = peek(), Self.isOpening(byte) else { return try skipScalar() }
    var brackets = OpenBrackets()
    repeat {
      skipSpace()
      if let byte = peek(), Self.isOpening(byte) {
        brackets.open(byte)
        position += 1
        if try !skipEmpty(&brackets) { continue }
      } else {
        try skipScalar()
      }
      try skipAfterValue(&brackets)
    } while !brackets.isEmpty
  }

  /// Reads an object as the bytes of its values, whatever they are.
  ///
  /// A member whose key cannot be read is left out.
  package mutating func readSlices() throws -> [(key: String, value: ArraySlice<UInt8>)] {
    try open(UInt8(ascii: "{"), "an object")
    var members: [(key: String, value: ArraySlice<UInt8>)] = []
    if try !closes(UInt8(ascii: "}")) {
      repeat {
        let start = mark
        let key = try? scanKey().description
        if key == nil {
          rewind(to: start)
          try skipString()
        }
        skipSpace()
        try take(UInt8(ascii: ":"))
        skipSpace()
        let valueStart = position
        try skipValue()
        if let key { members.append((key, bytes[valueStart..<position])) }
      } while try continues(until: UInt8(ascii: "}"))
    }
    depth -= 1
    return members
  }

  private static func isOpening(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
  }

  private mutating func skipScalar() throws {
    switch peek() {
    case nil: throw malformed("unexpected end of the text")
    case UInt8(ascii: "\""): try skipString()
    case .some(UInt8(ascii: "0")...UInt8(ascii: "9")): skipNumberCharacters()
    default: try skipWord()
    }
  }

  /// Skips `true`, `false`, `null`, a negative number, or a word that JSON lacks, such as `NaN`.
  private mutating func skipWord() throws {
    let start = position
    while position < bytes.count, bytes[position].isWordCharacter { position += 1 }
    guard position > start else { throw malformed("a value was expected") }
  }

  /// Closes a bracket right after its opening, or reads the first key of an object.
  private mutating func skipEmpty(_ brackets: inout OpenBrackets) throws -> Bool {
    skipSpace()
    if peek() == brackets.closer {
      position += 1
      brackets.close()
      return true
    }
    try skipKey(brackets)
    return false
  }

  private mutating func skipAfterValue(_ brackets: inout OpenBrackets) throws {
    while !brackets.isEmpty {
      try lookUp()
      skipSpace()
      guard let byte = peek() else { throw malformed("unexpected end of the text") }
      guard byte == brackets.closer || byte == UInt8(ascii: ",") else {
        throw malformed("a comma or the end was expected")
      }
      position += 1
      if byte == UInt8(ascii: ",") {
        try skipKey(brackets)
        return
      }
      brackets.close()
    }
  }

  private mutating func skipKey(_ brackets: borrowing OpenBrackets) throws {
    guard brackets.isObject else { return }
    skipSpace()
    try skipString()
    skipSpace()
    try take(UInt8(ascii: ":"))
  }

  private mutating func skipString() throws {
    try take(UInt8(ascii: "\""))
    while true {
      position = PlainText(bytes.span, from: position).end
      guard let byte = peek() else { throw malformed("unexpected end of the text") }
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return
      case UInt8(ascii: "\\"): position = min(position + 1, bytes.count)
      default: throw malformed("a control character in a text")
      }
    }
  }
}

/// The open brackets of a value that is being skipped, one bit for each, so that no depth is too
/// great.
private struct OpenBrackets {
  private static let width = UInt64.bitWidth

  /// The innermost brackets, the last in the lowest bit: set for `{`, clear for `[`.
  private var recent: UInt64 = 0
  /// The outer brackets, as many in each element as it has bits.
  private var older: [UInt64] = []
  private var count = 0

  var isEmpty: Bool { count == 0 }

  var isObject: Bool { recent & 1 == 1 }

  var closer: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }

  mutating func open(_ bracket: UInt8) {
    if count > 0, count % Self.width == 0 {
      older.append(recent)
      recent = 0
    }
    recent = recent << 1 | (bracket == UInt8(ascii: "{") ? 1 : 0)
    count += 1
  }

  mutating func close() {
    recent >>= 1
    count -= 1
    if count > 0, count % Self.width == 0, let last = older.popLast() { recent = last }
  }
}
