/// A set of scopes in the order of the request (RFC 6749 section 3.3).
struct Scope: Sendable, Hashable {
  let tokens: [String]

  /// The scope of a request that names none.
  static let standard = Scope(tokens: ["offline_access", "accounting.invoices.read"])

  private init(tokens: [String]) {
    self.tokens = tokens
  }

  /// Parses space-separated scopes; `nil` if a character is not allowed.
  init?(_ text: String) {
    let tokens = text.split(separator: " ").map(String.init)
    let isAllowed = tokens.allSatisfy { token in
      token.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
    }
    guard isAllowed, !tokens.isEmpty else { return nil }
    self.init(tokens: tokens)
  }

  /// True if the grant includes a refresh token, for which Xero requires `offline_access`.
  var isOffline: Bool { tokens.contains("offline_access") }

  var text: String { tokens.joined(separator: " ") }

  func isSubset(of other: Scope) -> Bool {
    Set(tokens).isSubset(of: other.tokens)
  }
}
