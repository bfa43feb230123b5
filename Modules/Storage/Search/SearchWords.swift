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
    return words.contains { $0.hasPrefix(last) }
      && search.words.dropLast().allSatisfy { words.contains($0) }
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
