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

  /// Returns the expression for words of one column, or of any.
  func text(_ db: Database, in column: String? = nil) throws -> String {
    Self.limited(try expanded(db), to: column)
  }

  /// Returns the expression for an index whose words are not looked up first.
  func plainText(in column: String? = nil) -> String { Self.limited(plain, to: column) }

  private static func limited(_ text: String, to column: String?) -> String {
    column.map { "\($0) : (\(text))" } ?? text
  }

  /// The words side by side: FTS5 ignores those without a letter or digit; with AND between them,
  /// or in parentheses of their own, such words match nothing.
  private var plain: String { words.map { $0.quoted() }.joined(separator: " ") + "*" }

  /// Returns the expression, with the words that the index currently holds.
  private func expanded(_ db: Database) throws -> String {
    guard let last = words.last, let terms = try Self.terms(beginningWith: last, db) else {
      return plain
    }
    let alternatives = "(" + terms.map { $0[...].quoted() }.joined(separator: " OR ") + ")"
    let others = words.dropLast()
    guard !others.isEmpty else { return alternatives }
    guard others.contains(where: { $0.utf8.contains(where: Self.isKept) }) else { return plain }
    return "(" + others.map { $0.quoted() }.joined(separator: " ") + ") AND " + alternatives
  }

  /// Returns the words of the index with a prefix.
  ///
  /// - Returns: `nil` if there are none or many, or if only the index knows how it normalizes the
  ///   letters.
  private static func terms(beginningWith word: Substring, _ db: Database) throws -> [String]? {
    guard word.utf8.allSatisfy(isKept) else { return nil }
    let beginning = word.lowercased()
    let next = try db.cachedStatement(
      sql: "SELECT term FROM invoice_term WHERE term >= ? ORDER BY term LIMIT 1")
    var terms: [String] = []
    var from = beginning
    while let term = try String.fetchOne(next, arguments: [from]),
      // By bytes, as the index compares: by characters, a combining mark would change the last
      // letter.
      term.utf8.starts(with: beginning.utf8)
    {
      guard terms.count < most else { return nil }
      terms.append(term)
      // The smallest text that follows the word, since no word contains this character.
      from = term + "\u{1}"
    }
    return terms.isEmpty ? nil : terms
  }

  /// Returns whether the index keeps a byte as it is, except for its case.
  private static func isKept(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
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
