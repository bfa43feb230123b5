/// A key of an object as it stands in the text, which costs nothing until its text is wanted.
///
/// It is compared with what a reader knows: `switch key { case "Total": … }`.
public struct JSONKey: Sendable, CustomStringConvertible {
  /// The text that it is a part of.
  private let bytes: [UInt8]
  private let range: Range<Int>
  /// The key itself, where it was written with escapes or is not ASCII alone.
  private let unescaped: String?

  init(bytes: [UInt8], range: Range<Int>, unescaped: String?) {
    self.bytes = bytes
    self.range = range
    self.unescaped = unescaped
  }

  /// The key's text.
  public var description: String {
    unescaped ?? String(decoding: bytes[range], as: UTF8.self)
  }

  /// Whether the key is the one that a reader knows.
  ///
  /// Every key is compared with all those before it in a reader's list; a `String` costs several times
  /// what its bytes do.
  public static func ~= (known: StaticString, key: JSONKey) -> Bool {
    if let text = key.unescaped { return text == "\(known)" }
    let range = key.range
    guard known.utf8CodeUnitCount == range.count else { return false }
    return known.withUTF8Buffer { known in
      key.bytes.withUnsafeBufferPointer { bytes in
        // As a rule the first byte is another one already.
        for index in known.indices where known[index] != bytes[range.lowerBound + index] {
          return false
        }
        return true
      }
    }
  }

  /// Whether the key is the one that a reader knows.
  public static func == (key: JSONKey, known: String) -> Bool { key.description == known }
}
