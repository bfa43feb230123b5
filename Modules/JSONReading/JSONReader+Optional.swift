public import Models

extension JSONReader {
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

  /// Whether a text comes next.
  public var isAtString: Bool { next == UInt8(ascii: "\"") }

  /// Whether an object comes next.
  public var isAtObject: Bool { next == UInt8(ascii: "{") }

  private var next: UInt8? {
    var reader = self
    reader.skipSpace()
    return reader.peek()
  }
}
