public import Models

extension JSONReader {
  /// True if the next value is a text.
  public var isAtString: Bool { next == UInt8(ascii: "\"") }

  /// True if the next value is an object.
  public var isAtObject: Bool { next == UInt8(ascii: "{") }

  /// True if the next value is a list.
  package var isAtList: Bool { next == UInt8(ascii: "[") }

  @inline(__always)
  private var next: UInt8? {
    // Most APIs write no space between values.
    if position < bytes.count, bytes[position] > 0x20 { return bytes[position] }
    return nextAfterSpaces
  }

  private var nextAfterSpaces: UInt8? {
    // Not by a copy of the reader: three references would be counted for each value.
    var index = position
    while index < bytes.count, bytes[index].isJSONSpace { index += 1 }
    return index < bytes.count ? bytes[index] : nil
  }

  /// Returns the error to throw if the last value is valid JSON but cannot be used, such as an
  /// unknown currency.
  ///
  /// An error that is thrown while a row is read affects only that row; see `readRows`.
  public func mistake(_ what: String) -> JSONError {
    JSONError(reason: .unexpected(what), offset: position)
  }

  /// Reads a text that a record can lack: `nil` for `null`, `false`, and a text of whitespace.
  ///
  /// A number is returned as its digits. Any other value counts as absent: one odd field is no
  /// reason to lose the record.
  public mutating func readOptionalString() throws -> String? {
    try optionalScalar { reader in
      guard reader.isAtString else { return try reader.readDecimal().description }
      let text = try reader.readString()
      return text.isBlank ? nil : text
    }
  }

  /// Reads a number that a record can lack, written as a number or as a text; any other value
  /// counts as absent.
  public mutating func readOptionalDecimal() throws -> ExactDecimal? {
    try optionalScalar { try $0.readDecimalText() }
  }

  /// Reads `true` or `false`, which a record can lack; any other value counts as absent.
  public mutating func readOptionalBool() throws -> Bool? {
    try optionalScalar { reader in
      guard reader.isAtString else { return try reader.readBool() }
      return Bool(try reader.readString().lowercased())
    }
  }

  /// Reads a text with a function; any other value, and a text that the function refuses, counts as
  /// absent.
  package mutating func readOptionalText<Value>(
    _ read: (Span<UInt8>) -> Value?
  ) throws -> Value? {
    try optionalScalar { try $0.readText(read) }
  }

  /// Reads a value that a record can lack; `null`, and a value that `read` refuses, count as
  /// absent.
  public mutating func readOptional<Value>(
    _ read: (inout JSONReader) throws -> Value?
  ) throws -> Value? {
    let start = mark
    do {
      return try readNull() ? nil : read(&self)
    } catch let error as JSONError where error.concernsValue {
      rewind(to: start)
      try skipValue()
      return nil
    }
  }

  /// Reads the elements of an array; any other value counts as an empty one, and an element that
  /// `body` refuses is left out.
  public mutating func readList(_ body: (inout JSONReader) throws -> Void) throws {
    try readOptional { reader in
      try reader.readArray { reader in try reader.readOptional { try body(&$0) } }
    }
  }

  /// Reads the elements of an array, or of `null`, none of which may be left out.
  package mutating func readEveryElement(_ body: (inout JSONReader) throws -> Void) throws {
    if try !readNull() { try readArray(body) }
  }

  /// Reads a value that neither opens an object nor an array, as ``readOptional(_:)`` does.
  @inline(__always)
  private mutating func optionalScalar<Value>(
    _ read: (inout JSONReader) throws -> Value?
  ) throws -> Value? {
    skipSpace()
    let start = position
    do {
      return try readNull() ? nil : read(&self)
    } catch let error as JSONError where error.concernsValue {
      position = start
      try skipValue()
      return nil
    }
  }

  /// Reads a decimal number that is written as a text, such as `"121.00"`, or as a number.
  public mutating func readDecimalText() throws -> ExactDecimal {
    guard isAtString else { return try readDecimal() }
    let offset = position
    guard let value = try readText({ ExactDecimal(utf8: $0) }) else {
      throw JSONError(
        reason: .unexpected(
          "not a text of a number of at most \(ExactDecimal.maximumDigits) digits"),
        offset: offset)
    }
    return value
  }

  /// Reads an identifier: a text, or a whole number, whose digits are the text.
  public mutating func readIdentifier() throws -> String {
    try isAtString ? readString() : String(readInt())
  }

  /// Reads an identifier that a record can lack; an empty text counts as absent.
  public mutating func readOptionalIdentifier() throws -> String? { try readOptionalString() }

  /// Reads a whole number that a record can lack, written as a number or as a text.
  package mutating func readOptionalInt() throws -> Int? {
    try readOptionalDecimal().flatMap { Int($0.normalized.description) }
  }

  /// Reads a day as `YYYY-MM-DD`, which a record can lack.
  ///
  /// Any other value counts as absent, and so does a placeholder such as `0000-00-00`; see
  /// `CalendarDate.isPlaceholder`.
  public mutating func readOptionalCalendarDate() throws -> CalendarDate? {
    try readOptionalText { CalendarDate(utf8: $0) }.flatMap { $0.isPlaceholder ? nil : $0 }
  }

  /// Reads an instant in the form of RFC 3339.
  public mutating func readTimestamp() throws -> Timestamp {
    let offset = position
    guard let instant = Timestamp(try readString()) else {
      throw JSONError(reason: .unexpected("not an instant"), offset: offset)
    }
    return instant
  }

  /// Reads an instant in the form of RFC 3339, which a record can lack; any other value counts as
  /// absent, and so does an instant on a placeholder's day.
  public mutating func readOptionalTimestamp() throws -> Timestamp? {
    let instant = try optionalScalar { Timestamp(try $0.readString()) }
    return instant.flatMap { $0.utcDay?.isPlaceholder == false ? $0 : nil }
  }
}

extension String {
  /// True if the text is empty or holds only whitespace, as forms send a field that was left empty.
  package var isBlank: Bool {
    guard let first = utf8.first else { return true }
    // Nearly every text begins with a character of ASCII that is no whitespace.
    return first > 0x20 && first < 0x80 ? false : allSatisfy(\.isWhitespace)
  }
}
