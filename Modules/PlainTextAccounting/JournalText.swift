import Foundation
import Models

/// Texts of a provider in a form that cannot be taken for anything else in a journal.
enum JournalText {
  /// The characters of ASCII that have a meaning, and what stands for them.
  struct Replacements: Sendable {
    let scalars: [Unicode.Scalar: Unicode.Scalar]

    private init(_ pairs: (String, Unicode.Scalar)...) {
      scalars = Dictionary(
        uniqueKeysWithValues: pairs.flatMap { pair in pair.0.unicodeScalars.map { ($0, pair.1) } })
    }

    static let none = Replacements()
    /// `|` would end a payee, and `;` begin a comment.
    static let payee = Replacements(("|", "/"), (";", ","), ("\"", "'"))
    /// A code stands in parentheses.
    static let code = Replacements(("();", " "))
    /// A comma would end the value of a tag, and brackets may hold a date.
    static let value = Replacements((",;", " "), ("[", "("), ("]", ")"))
    /// A comment without tags and dates.
    static let comment = Replacements((":;", " "), ("[", "("), ("]", ")"))
    /// A part of an account's name.
    static let part = Replacements((":;|()[]{}@=*!\"", " "))
  }

  /// The largest number of characters; ledger refuses lines of more than 4096 bytes.
  static let most = 120

  /// Returns a text on one line, without control characters and double spaces.
  static func line(_ text: String, _ replacements: Replacements = .none) -> String {
    // As numbers, identifiers and days are.
    guard text.utf8.count > most || !text.utf8.allSatisfy(isPlain) else { return text }
    var result = String.UnicodeScalarView()
    var count = 0
    var isGap = false
    for scalar in text.unicodeScalars where count < most {
      let isShown = scalar.isSafeToDisplay && !scalar.properties.isWhitespace
      let shown = isShown ? replacements.scalars[scalar] ?? scalar : " "
      if shown == " " {
        isGap = count > 0
        continue
      }
      if isGap { result.append(" ") }
      result.append(shown)
      (isGap, count) = (false, count + 1)
    }
    return String(result)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "-")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  /// Returns whether a text names something: it has a letter or a digit.
  static func isName(_ text: String) -> Bool {
    // Nearly every name has a letter of ASCII; Unicode's properties cost more.
    text.utf8.contains { isPlain($0) && $0 > UInt8(ascii: "/") }
      || text.unicodeScalars.contains {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
  }

  /// Returns a part of an account's name for beancount: letters, digits and hyphens, with a capital
  /// letter or a digit at its beginning.
  static func beancountPart(_ text: String) -> String {
    let scalars = text.precomposedStringWithCanonicalMapping.unicodeScalars.prefix(most)
    // beancount 2 knows the letters of the basic plane.
    let words = scalars.split { $0.value > 0xFFFF || !($0.isLetter || $0.isDigit) }
    let name = words.map { String(String.UnicodeScalarView($0)) }.joined(separator: "-")
    guard let first = name.unicodeScalars.first else { return "X" }
    let capital = first.properties.titlecaseMapping
    switch capital.unicodeScalars.first?.properties.generalCategory {
    case .uppercaseLetter, .decimalNumber:
      return capital + String(String.UnicodeScalarView(name.unicodeScalars.dropFirst()))
    default: return "X-" + name
    }
  }

  /// Returns a link of beancount.
  static func link(_ text: String) -> String {
    let text = line(text)
    if text.utf8.allSatisfy(isPlain) { return text }
    let scalars = text.unicodeScalars.map { scalar in
      let isKept = scalar.isLetter || scalar.isDigit || "-_/.".unicodeScalars.contains(scalar)
      return scalar.isASCII && isKept ? scalar : "-"
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// Returns a string of beancount, in quotes.
  static func quoted(_ text: String) -> String {
    let text = line(text)
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\"") }) else {
      return "\"\(text)\""
    }
    return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { properties.generalCategory == .decimalNumber }

  fileprivate var isLetter: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    default: false
    }
  }
}
