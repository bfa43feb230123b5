import Foundation
import GRDB
import Models

/// The words of a search as an FTS5 expression that requires all of them, the last as a word or a
/// prefix.
struct SearchExpression {
  /// The largest number of words with a common prefix that are looked up one by one.
  ///
  /// For a prefix, FTS5 merges the lists of all matching words before it returns the first row; the
  /// lists of single words it reads only as far as needed.
  private static let most = 16

  private let words: [Substring]

  /// Creates the expression; `nil` if there is no word.
  init?(_ text: String?) {
    words = text?.split(whereSeparator: \.isWhitespace) ?? []
    guard !words.isEmpty else { return nil }
  }

  /// Returns the expression for words of one column, or of any, in the index that has a vocabulary.
  func text(
    _ db: Database, in column: String? = nil, vocabulary: String = "invoice_term"
  ) throws -> String {
    let text = try expanded(WordSpellings(vocabulary: vocabulary, db: db))
    return column.map { "\($0) : (\(text))" } ?? text
  }

  /// The words side by side: FTS5 ignores those without a letter or digit; with AND between them,
  /// or in parentheses of their own, such words match nothing.
  private var plain: String { words.map { $0.quoted() }.joined(separator: " ") + "*" }

  /// Returns the expression with the words that the index currently holds.
  private func expanded(_ spellings: WordSpellings) throws -> String {
    var phrases: [String] = []
    var alternatives: [[String]] = []
    for word in words.dropLast() where word.unicodeScalars.contains(where: Self.isIndexed) {
      let found = try Self.all(of: word, spellings.of(word, isPrefix: false))
      if found.count > 1 { alternatives.append(found) } else { phrases.append(word.quoted()) }
    }
    if let last = words.last {
      let found = try spellings.of(last, isPrefix: true)
      if let terms = try Self.terms(beginningWith: found, spellings) {
        alternatives.append(terms)
      } else if found.count > 1 {
        alternatives.append(Self.all(of: last, found).map { $0 + "*" })
      } else {
        phrases.append(last.quoted() + "*")
      }
    }
    guard !alternatives.isEmpty else { return plain }
    let groups = alternatives.map { "(" + $0.joined(separator: " OR ") + ")" }
    guard !phrases.isEmpty else { return groups.joined(separator: " AND ") }
    guard phrases.contains(where: { $0.utf8.contains(where: \.isSearchedAsItIs) }) else {
      return plain
    }
    return (["(" + phrases.joined(separator: " ") + ")"] + groups).joined(separator: " AND ")
  }

  /// Returns whether a letter can be part of an indexed word, by its Unicode category.
  private static func isIndexed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }

  /// Returns a word as it is written and its other spellings, in quotes; a word with accents too,
  /// since only the index knows how it normalizes the letters.
  private static func all(of word: Substring, _ spellings: [String]) -> [String] {
    let others = word.utf8.allSatisfy(\.isSearchedAsItIs) ? spellings.dropFirst() : spellings[...]
    return [word.quoted()] + others.map { $0[...].quoted() }
  }

  /// Returns the words of the index with one of several prefixes, in quotes.
  ///
  /// - Returns: `nil` if there are none or many.
  private static func terms(
    beginningWith prefixes: [String], _ spellings: WordSpellings
  ) throws -> [String]? {
    var terms: [String] = []
    for prefix in prefixes {
      var from = prefix
      while let term = try spellings.first(from: from),
        // By bytes, as the index compares: by characters, a combining mark would change the last
        // letter.
        term.utf8.starts(with: prefix.utf8)
      {
        guard terms.count < most else { return nil }
        terms.append(term)
        // The smallest text that follows the word, since no word contains this character.
        from = term + "\u{1}"
      }
    }
    return terms.isEmpty ? nil : terms.map { $0[...].quoted() }
  }
}

extension Substring {
  /// Returns the text in quotes, with quotes inside doubled, so that FTS5 does not read it as an
  /// operator.
  ///
  /// By scalars, since a quote with a combining mark is another character, but contains the same
  /// byte.
  fileprivate func quoted() -> String {
    var quoted = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in unicodeScalars {
      if scalar == "\"" { quoted.append("\"") }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }
}

/// The spellings of a word in a search index, with letters that FTS5 does not take for the same.
///
/// FTS5 removes accents. A letter with a stroke and a ligature are letters of their own there, so
/// `Łódź` is not found by `lodz`: these spellings are looked up among the index's words.
struct WordSpellings {
  /// The most spellings of a word.
  private static let most = 16
  /// The most letters of a word whose spellings are looked up.
  ///
  /// No word of a language is longer, and the time grows with the square of the length.
  private static let longest = 100

  /// A table of the words of an index (fts5vocab).
  let vocabulary: String
  let db: Database

  /// Returns the spellings of a word with which words of the index begin, the one of plain letters
  /// first, whether or not a word begins with it.
  ///
  /// - Parameter isPrefix: true if the word may end within a spelling: `stras` also begins
  ///   `straße`.
  /// - Returns: Nothing if the word has other letters than these and those of ASCII, or is too
  /// long.
  func of(_ word: Substring, isPrefix: Bool) throws -> [String] {
    guard word.utf8.count <= Self.longest else { return [] }
    let plain = PlainLetters.of(String(word))
      .folding(options: [.diacriticInsensitive], locale: nil)
    let bytes = Array(plain.utf8)
    guard !bytes.isEmpty, bytes.allSatisfy(\.isSearchedAsItIs) else { return [] }
    // The spellings of the first letters, by their number.
    var beginnings = Array(repeating: [String](), count: bytes.count + 1)
    beginnings[0] = [""]
    for end in bytes.indices {
      let rest = bytes[end...]
      let next = String(UnicodeScalar(bytes[end]))
      for beginning in beginnings[end] where beginnings[end + 1].count < Self.most {
        beginnings[end + 1].append(beginning + next)
      }
      for (letter, plain) in PlainLetters.spellings {
        let isCut = isPrefix && plain.utf8.count > rest.count && plain.utf8.starts(with: rest)
        guard isCut || rest.starts(with: plain.utf8) else { continue }
        let after = isCut ? bytes.count : end + plain.utf8.count
        for beginning in beginnings[end] where beginnings[after].count < Self.most {
          let spelling = beginning + String(letter)
          if try first(from: spelling)?.utf8.starts(with: spelling.utf8) ?? false {
            beginnings[after].append(spelling)
          }
        }
      }
    }
    return [plain] + (beginnings.last ?? []).filter { $0 != plain }
  }

  /// Returns the first word of the index that is a text or follows it.
  func first(from text: String) throws -> String? {
    try String.fetchOne(
      db.cachedStatement(
        sql: "SELECT term FROM \(vocabulary) WHERE term >= ? ORDER BY term LIMIT 1"),
      arguments: [text])
  }
}

extension UInt8 {
  /// True if a search index keeps the byte as it is, except for its case.
  var isSearchedAsItIs: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}

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
