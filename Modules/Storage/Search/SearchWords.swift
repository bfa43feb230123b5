import Foundation
import GRDB
import Models

/// The words of a text, without case, accents, strokes and ligatures, where no index holds them.
struct SearchWords {
  let words: [Substring]

  init(_ text: String) {
    words = PlainLetters.of(text)
      .folding(options: [.diacriticInsensitive, .widthInsensitive], locale: nil)
      .split { !$0.isLetter && !$0.isNumber }
  }

  /// Returns whether the text has all words of a search, the last as a word or a prefix; `false`
  /// for a search without words.
  func contains(_ search: SearchWords) -> Bool {
    guard let last = search.words.last else { return false }
    guard words.contains(where: { $0.hasPrefix(last) }) else { return false }
    let others = search.words.dropLast()
    // Two long texts would take time that grows with the product of their lengths.
    guard others.count > 8 else { return others.allSatisfy { words.contains($0) } }
    return Set(others).isSubset(of: words)
  }

  /// Adds the function `has_words(text, search)` to a connection.
  static func install(in db: Database) {
    db.add(
      function: DatabaseFunction("has_words", argumentCount: 2, pure: true) { values in
        guard let text = String.fromDatabaseValue(values[0]),
          let search = String.fromDatabaseValue(values[1])
        else { return false }
        return SearchWords(text).contains(SearchWords(search))
      })
  }
}
