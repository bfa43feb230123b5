import Foundation
import Models

/// Texts of a provider in a form that cannot be taken for anything else in a journal.
enum JournalText {
  /// The characters of ASCII that have a meaning, and what stands for them.
  struct Replacements: Sendable {
    /// The replacement of each character of ASCII; a space for what cannot be shown.
    private let shown: [UInt8]

    private init(_ pairs: (characters: String, replacement: Unicode.Scalar)...) {
      var shown = (0..<128 as Range<UInt8>).map { (33...126).contains($0) ? $0 : 32 }
      for pair in pairs {
        for character in pair.characters.utf8 {
          shown[Int(character)] = UInt8(ascii: pair.replacement)
        }
      }
      self.shown = shown
    }

    /// True if the text stands for a character of ASCII unchanged.
    func keeps(_ byte: UInt8) -> Bool { byte < 128 && shown[Int(byte)] == byte }

    /// Returns what stands for a character; a space for one that cannot be shown.
    subscript(scalar: Unicode.Scalar) -> Unicode.Scalar {
      guard !scalar.isASCII else { return Unicode.Scalar(shown[Int(scalar.value)]) }
      return scalar.isSafeToDisplay && !scalar.properties.isWhitespace ? scalar : " "
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
    guard !isLine(text, replacements) else { return text }
    var result = String.UnicodeScalarView()
    var count = 0
    var isGap = false
    for scalar in text.unicodeScalars where count < most {
      let shown = replacements[scalar]
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

  /// Returns true if a text of ASCII stays as it is, which nearly every text does.
  private static func isLine(_ text: String, _ replacements: Replacements) -> Bool {
    guard text.utf8.count <= most else { return false }
    var isGap = true
    for byte in text.utf8 {
      guard replacements.keeps(byte), byte != UInt8(ascii: " ") || !isGap else { return false }
      isGap = byte == UInt8(ascii: " ")
    }
    return !isGap || text.isEmpty
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
