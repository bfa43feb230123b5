package import HTTPTypes

/// One challenge of a `WWW-Authenticate` header (RFC 9110 section 11.6.1).
package struct AuthenticationChallenge: Sendable, Hashable {
  /// The scheme in lower case, such as `bearer`.
  package let scheme: String
  /// The parameters, with their names in lower case.
  package var parameters: [String: String]

  /// Parses every challenge of a response; ones that cannot be parsed are left out.
  package static func all(in head: HTTPResponse) -> [AuthenticationChallenge] {
    head.headerFields[values: .wwwAuthenticate].flatMap(parse)
  }

  /// Parses the value of a header: a list of challenges, each with a list of parameters, both
  /// separated by commas.
  package static func parse(_ text: String) -> [AuthenticationChallenge] {
    var challenges: [AuthenticationChallenge] = []
    var rest = Substring(text)
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
      guard let word = token(&rest) else { return challenges }
      let afterWord = rest.drop { $0 == " " || $0 == "\t" }
      if afterWord.first == "=", !challenges.isEmpty {
        rest = afterWord.dropFirst().drop { $0 == " " || $0 == "\t" }
        guard let value = quoted(&rest) ?? token(&rest) else { return challenges }
        challenges[challenges.count - 1].parameters[word.lowercased()] = value
      } else {
        challenges.append(AuthenticationChallenge(scheme: word.lowercased(), parameters: [:]))
      }
    }
  }

  private static func token(_ rest: inout Substring) -> String? {
    let word = rest.prefix { !" \t,=\"".contains($0) }
    rest = rest.dropFirst(word.count)
    return word.isEmpty ? nil : String(word)
  }

  private static func quoted(_ rest: inout Substring) -> String? {
    guard rest.first == "\"" else { return nil }
    var value = ""
    var characters = rest.dropFirst()
    while let character = characters.popFirst() {
      if character == "\"" {
        rest = characters
        return value
      }
      if character == "\\", let escaped = characters.popFirst() {
        value.append(escaped)
      } else {
        value.append(character)
      }
    }
    return nil
  }
}

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
