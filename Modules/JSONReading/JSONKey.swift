/// A key of an object as it stands in the text; its string is created only when needed.
///
/// It is compared with the keys that a reader knows: `switch key { case "Total": … }`.
public struct JSONKey: Sendable, CustomStringConvertible {
  /// The bytes of the key, if there are at most 24, as in most keys.
  ///
  /// They are copied, because a reference to the surrounding text costs as much as ten comparisons.
  private var bytes = InlineArray<24, UInt8>(repeating: 0)
  private let count: Int
  /// The key as a string, if it is longer, was written with escapes, or is not only ASCII.
  private let text: String?

  init(_ text: String) {
    self.text = text
    count = 0
  }

  /// Creates a key from ASCII that was written without escapes.
  init(ascii: Span<UInt8>) {
    guard ascii.count <= bytes.count else {
      text = String(decoding: ascii.indices.map { ascii[$0] }, as: UTF8.self)
      count = 0
      return
    }
    text = nil
    count = ascii.count
    for index in ascii.indices { bytes[index] = ascii[index] }
  }

  /// The key's text.
  public var description: String {
    if let text { return text }
    return String(unsafeUninitializedCapacity: count) { buffer in
      for index in 0..<count { buffer[index] = bytes[index] }
      return count
    }
  }

  /// Returns true if the key is one that a reader knows.
  ///
  /// Each key is compared with all earlier keys in a reader's list; a `String` costs several times
  /// as much as its bytes.
  public static func ~= (known: StaticString, key: JSONKey) -> Bool {
    if let text = key.text { return text == "\(known)" }
    guard known.utf8CodeUnitCount == key.count else { return false }
    return known.withUTF8Buffer { known in
      // The first byte usually differs already.
      for index in known.indices where known[index] != key.bytes[index] { return false }
      return true
    }
  }

  /// Returns true if the key is one that a reader knows.
  public static func == (key: JSONKey, known: String) -> Bool { key.description == known }
}
