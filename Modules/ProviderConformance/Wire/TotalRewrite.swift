/// A rewrite of the first total in a response.
struct TotalRewrite: Sendable {
  /// The keys that lead to the total.
  let path: [String]

  /// Returns the response with a list as its first total, so that the row cannot be read.
  func breaking(_ body: [UInt8]) -> [UInt8] {
    replacing(in: body) { _ in Array("[]".utf8) }
  }

  /// A nested list with more levels than any stack has room for.
  private static let nest = Array(
    (String(repeating: #"[{"a":"#, count: 50_000) + "1" + String(repeating: "}]", count: 50_000))
      .utf8)

  /// Returns the response with a deeply nested list as its first total.
  func nesting(_ body: [UInt8]) -> [UInt8] {
    replacing(in: body) { _ in Self.nest }
  }

  /// Returns the response with such a list after its first total, under an unknown key.
  func nestingBesides(_ body: [UInt8]) -> [UInt8] {
    replacing(in: body) { $0 + Array(#","nest-of-nobody":"#.utf8) + Self.nest }
  }

  /// The digits of the amount in ``enlarging(_:)``: more than a `Double` holds.
  static let digits = "1234567890123456789"

  /// Returns the response with ``digits`` as its first total, in the server's notation for amounts.
  func enlarging(_ body: [UInt8]) -> [UInt8] {
    replacing(in: body) { token in
      let quote = token.filter { $0 == UInt8(ascii: "\"") }.prefix(1)
      let hasPoint = token.contains(UInt8(ascii: "."))
      let amount =
        hasPoint ? Self.digits.dropLast(2) + "." + Self.digits.suffix(2) : Self.digits[...]
      return quote + Array(amount.utf8) + quote
    }
  }

  /// Returns the response with another value at ``path``.
  ///
  /// It searches for one key after the other: in every known response, the rows come first, and the
  /// keys appear in this order.
  private func replacing(in body: [UInt8], with value: ([UInt8]) -> [UInt8]) -> [UInt8] {
    var rest = body[...]
    for key in path {
      guard let found = rest.firstRange(of: Array("\"\(key)\":".utf8)) else { return body }
      rest = rest[found.upperBound...].drop { $0 == UInt8(ascii: " ") }
    }
    guard let end = Self.end(ofValueIn: rest) else { return body }
    return body[..<rest.startIndex] + value(Array(rest[..<end])) + body[end...]
  }

  /// Returns the end of the value that a text begins with: a string, a number, or anything else.
  private static func end(ofValueIn text: ArraySlice<UInt8>) -> Int? {
    var isText = false
    for (index, byte) in zip(text.indices, text) {
      if byte == UInt8(ascii: "\"") {
        if isText { return index + 1 }
        isText = true
      } else if !isText, ",}] \n".utf8.contains(byte), index > text.startIndex {
        return index
      }
    }
    return nil
  }
}
