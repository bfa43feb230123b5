import Hummingbird

extension SandboxState {
  /// Whether a request carries a bearer token that is valid now (RFC 6750).
  func isAuthorized(_ request: Request) -> Bool {
    let words = request.headers[.authorization]?.split(separator: " ", maxSplits: 1) ?? []
    guard words.count == 2, words[0].lowercased() == "bearer" else { return false }
    return oauth.accepts(accessToken: String(words[1]))
  }
}
