package import Models

/// A JSON value whose structure is not known beforehand.
///
/// Numbers keep their digits; no amount is ever a `Double`.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(ExactDecimal)
  case text(String)
  case list([JSONValue])
  case object(JSONObject)
  /// A value that cannot be held: too large a number, nested too deeply, not UTF-8, a duplicate, or
  /// a word that JSON lacks, such as `NaN`.
  ///
  /// Only code that needs this value fails.
  case unreadable(String)

  /// The value as one word: the letters of a text, the digits of a number, `true` or `false`.
  package var word: String? {
    switch self {
    case .text(let text): text
    case .number(let number): number.description
    case .bool(let bool): bool ? "true" : "false"
    case .null, .list, .object, .unreadable: nil
    }
  }

  /// True if the value is `null`, or a text that is empty or only whitespace.
  package var isBlank: Bool {
    switch self {
    case .null: true
    case .text(let text): text.isBlank
    case .bool, .number, .list, .object, .unreadable: false
    }
  }
}

extension JSONReader {
  /// Reads a value of any kind as a tree of limited depth.
  package mutating func readValue() throws -> JSONValue {
    skipSpace()
    switch peek() {
    case UInt8(ascii: "{") where depth == Self.maximumDepth,
      UInt8(ascii: "[") where depth == Self.maximumDepth:
      try skipValue()
      return .unreadable("nested too deeply")
    case UInt8(ascii: "{"): return .object(try readMembers())
    case UInt8(ascii: "["):
      var elements: [JSONValue] = []
      try readArray { elements.append(try $0.readValue()) }
      return .list(elements)
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return try sound { .bool(try $0.readBool()) }
    case UInt8(ascii: "n"):
      return try sound {
        _ = try $0.readNull()
        return .null
      }
    case UInt8(ascii: "\""): return try sound { .text(try $0.readString()) }
    default: return try sound { .number(try $0.readDecimal()) }
    }
  }

  /// Reads a value, and turns one that cannot be held into `unreadable`, to keep the others around
  /// it.
  private mutating func sound(
    _ read: (inout JSONReader) throws -> JSONValue
  ) throws -> JSONValue {
    let start = mark
    do {
      return try read(&self)
    } catch let error as JSONError where !error.isMalformed {
      rewind(to: start)
      try skipValue()
      return .unreadable(error.explanation)
    }
  }
}
