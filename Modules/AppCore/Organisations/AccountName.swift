import Authentication
import Foundation
import Models

/// The name of an account, derived from an organisation's name.
enum AccountName {
  /// The longest name, so that a number fits behind it.
  private static let longest = 56

  /// Returns a name in lower-case ASCII letters, digits and hyphens, such as `braeuhof-ltd`, with a
  /// number if another account has it.
  static func from(_ organisation: String, taken: Set<String>) -> String {
    let folded = PlainLetters.of(organisation)
      .folding(options: [.diacriticInsensitive, .widthInsensitive], locale: nil)
    let words = folded.unicodeScalars
      // An apostrophe joins what it separates.
      .filter { $0 != "'" && $0 != "\u{2019}" }
      .split { !("a"..."z" ~= $0 || "0"..."9" ~= $0) }
    let name = String(words.map { String(String.UnicodeScalarView($0)) }.joined(separator: "-"))
      .prefix(longest)
    let base = name.isEmpty ? "organisation" : String(name.trimmingSuffix("-"))
    guard taken.contains(base) else { return base }
    var number = 2
    while taken.contains("\(base)-\(number)") { number += 1 }
    return "\(base)-\(number)"
  }
}

extension Substring {
  fileprivate func trimmingSuffix(_ suffix: Character) -> Substring {
    var rest = self
    while rest.last == suffix { rest.removeLast() }
    return rest
  }
}
