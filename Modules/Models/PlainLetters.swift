/// The letters with a stroke and the ligatures that Unicode does not decompose, and what people
/// type in their place.
package enum PlainLetters {
  /// Each letter in lower case, with its plain spelling.
  package static let spellings: [(letter: Character, plain: String)] = [
    ("ß", "ss"), ("æ", "ae"), ("œ", "oe"), ("ø", "o"), ("đ", "d"), ("ð", "d"), ("ł", "l"),
    ("ħ", "h"), ("ŧ", "t"), ("þ", "th"), ("ı", "i"),
  ]

  private static let plain = Dictionary(
    uniqueKeysWithValues: spellings.map { ($0.letter, $0.plain) })

  /// Returns a text in lower case with these letters in their plain spelling; accents stay.
  package static func of(_ text: String) -> String {
    text.lowercased().map { plain[$0] ?? String($0) }.joined()
  }
}
