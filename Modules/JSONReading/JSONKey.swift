/// A key of an object as it stands in the text, which costs nothing until its text is wanted.
///
/// It is compared with what a reader knows: `switch key { case "Total": … }`.
public struct JSONKey: Sendable, CustomStringConvertible {
  /// The key's bytes, of which few have more, held here: to hold on to the text that it stands in
  /// costs as much as to compare it with ten others.
  private var bytes = InlineArray<24, UInt8>(repeating: 0)
  private let count: Int
  /// The key itself, where it is longer, was written with escapes or is not ASCII alone.
  private let text: String?

  init(_ text: String) {
    self.text = text
    count = 0
  }

  /// Makes a key of ASCII that was written without escapes.
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
    text ?? String(decoding: (0..<count).map { bytes[$0] }, as: UTF8.self)
  }

  /// Returns true if the key is the one that a reader knows.
  ///
  /// Every key is compared with all those before it in a reader's list; a `String` costs several
  /// times what its bytes do.
  public static func ~= (known: StaticString, key: JSONKey) -> Bool {
    if let text = key.text { return text == "\(known)" }
    guard known.utf8CodeUnitCount == key.count else { return false }
    return known.withUTF8Buffer { known in
      // As a rule the first byte is another one already.
      for index in known.indices where known[index] != key.bytes[index] { return false }
      return true
    }
  }

  /// Returns true if the key is the one that a reader knows.
  public static func == (key: JSONKey, known: String) -> Bool { key.description == known }
}
