/// Puts something else in the place of the first total of an answer.
struct TotalRewrite: Sendable {
  /// The keys that lead to it.
  let path: [String]

  /// An answer whose first total is a list, so that its row cannot be read.
  func breaking(_ body: [UInt8]) -> [UInt8] {
    replacing(in: body) { _ in Array("[]".utf8) }
  }

  /// More levels than any stack has room for.
  private static let nest = Array(
    (String(repeating: #"[{"a":"#, count: 50_000) + "1" + String(repeating: "}]", count: 50_000))
      .utf8)

  /// An answer whose first total is a list of lists of lists.
  func nesting(_ body: [UInt8]) -> [UInt8] {
    replacing(in: body) { _ in Self.nest }
  }

  /// An answer with such a list behind its first total, under a key that nobody knows.
  func nestingBesides(_ body: [UInt8]) -> [UInt8] {
    replacing(in: body) { $0 + Array(#","nest-of-nobody":"#.utf8) + Self.nest }
  }

  /// The digits of the amount in ``enlarging(_:)``: more than a `Double` holds.
  static let digits = "1234567890123456789"

  /// An answer whose first total has ``digits``, written as the server writes amounts.
  func enlarging(_ body: [UInt8]) -> [UInt8] {
    replacing(in: body) { token in
      let quote = token.filter { $0 == UInt8(ascii: "\"") }.prefix(1)
      let hasPoint = token.contains(UInt8(ascii: "."))
      let amount =
        hasPoint ? Self.digits.dropLast(2) + "." + Self.digits.suffix(2) : Self.digits[...]
      return quote + Array(amount.utf8) + quote
    }
  }

  /// The rows come first in every shape that is known, and the keys in a row's own order.
  private func replacing(in body: [UInt8], with value: ([UInt8]) -> [UInt8]) -> [UInt8] {
    var rest = body[...]
    for key in path {
      guard let found = rest.firstRange(of: Array("\"\(key)\":".utf8)) else { return body }
      rest = rest[found.upperBound...].drop { $0 == UInt8(ascii: " ") }
    }
    guard let end = Self.end(ofValueIn: rest) else { return body }
    return body[..<rest.startIndex] + value(Array(rest[..<end])) + body[end...]
  }

  /// Where the value ends that a text begins with: a text, a number, or something else.
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
