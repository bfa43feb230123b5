/// The scopes that a server names, if it names them in the form of RFC 6749.
package struct ScopeWords: Sendable {
  /// The scopes; empty if any of them is malformed, or if there are unreasonably many.
  package let words: [String]

  package init(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    let isSound =
      words.count <= 32 && text.utf8.count <= 1_000
      && words.allSatisfy { $0.utf8.allSatisfy(Self.isAllowed) }
    self.words = isSound ? words : []
  }

  /// The scopes as one text; `nil` if there is none.
  package var text: String? { words.isEmpty ? nil : words.joined(separator: " ") }

  /// Returns whether a byte is an `NQCHAR` of appendix A: visible ASCII except `"` and `\`.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21, 0x23...0x5B, 0x5D...0x7E: true
    default: false
    }
  }
}
