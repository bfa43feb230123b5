import GRDB

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
