public import Models

extension JSONReader {
  /// True if the next value is a text.
  public var isAtString: Bool { next == UInt8(ascii: "\"") }

  /// True if the next value is an object.
  public var isAtObject: Bool { next == UInt8(ascii: "{") }

  /// True if the next value is a list.
  package var isAtList: Bool { next == UInt8(ascii: "[") }

  private var next: UInt8? {
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

  /// Reads a text, or `null`.
  public mutating func readOptionalString() throws -> String? {
    try readNull() ? nil : readString()
  }

  /// Reads a number, or `null`.
  public mutating func readOptionalDecimal() throws -> ExactDecimal? {
    try readNull() ? nil : readDecimal()
  }

  /// Reads an array, or `null` as an empty one.
  public mutating func readList(_ body: (inout JSONReader) throws -> Void) throws {
    if try !readNull() { try readArray(body) }
  }

  /// Reads a decimal number that is written as a text, such as `"121.00"`, or as a number.
  public mutating func readDecimalText() throws -> ExactDecimal {
    guard isAtString else { return try readDecimal() }
    let offset = position
    guard let value = ExactDecimal(try readString()) else {
      throw JSONError(
        reason: .unexpected(
          "not a text of a number of at most \(ExactDecimal.maximumDigits) digits"),
        offset: offset)
    }
    return value
  }

  /// Reads a decimal number that is written as a text or as a number, or `null`.
  public mutating func readOptionalDecimalText() throws -> ExactDecimal? {
    try readNull() ? nil : readDecimalText()
  }

  /// Reads an identifier: a text, or a whole number, whose digits are the text.
  public mutating func readIdentifier() throws -> String {
    try isAtString ? readString() : String(readInt())
  }

  /// Reads an identifier, or `null`.
  public mutating func readOptionalIdentifier() throws -> String? {
    try readNull() ? nil : readIdentifier()
  }

  /// Reads a day as `YYYY-MM-DD`, or `null`.
  public mutating func readOptionalCalendarDate() throws -> CalendarDate? {
    let offset = position
    if try readNull() { return nil }
    guard let day = try readText({ CalendarDate(utf8: $0) }) else {
      throw JSONError(reason: .unexpected("not a date"), offset: offset)
    }
    return day
  }

  /// Reads an instant in the form of RFC 3339.
  public mutating func readTimestamp() throws -> Timestamp {
    let offset = position
    guard let instant = Timestamp(try readString()) else {
      throw JSONError(reason: .unexpected("not an instant"), offset: offset)
    }
    return instant
  }

  /// Reads an instant in the form of RFC 3339, or `null`.
  public mutating func readOptionalTimestamp() throws -> Timestamp? {
    try readNull() ? nil : readTimestamp()
  }
}
