import Foundation
import GRDB
import Models

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
