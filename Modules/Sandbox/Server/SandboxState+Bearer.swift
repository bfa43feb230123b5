import HTTPTypes
import Hummingbird

extension SandboxState {
  /// Whether a request carries an access token that is valid.
  func acceptsBearer(of request: Request) -> Bool {
    let words = request.headers[.authorization]?.split(separator: " ", maxSplits: 1) ?? []
    guard words.count == 2, words[0].lowercased() == "bearer" else { return false }
    return oauth.accepts(accessToken: String(words[1]))
  }
}
