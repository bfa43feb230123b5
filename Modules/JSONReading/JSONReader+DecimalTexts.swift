public import Models

extension JSONReader {
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

  /// Reads an identifier: a text, or a whole number, of which the digits are the text.
  public mutating func readIdentifier() throws -> String {
    try isAtString ? readString() : String(readInt())
  }

  /// Reads an identifier, or `null`.
  public mutating func readOptionalIdentifier() throws -> String? {
    try readNull() ? nil : readIdentifier()
  }
}
