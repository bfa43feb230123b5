import Foundation
import Networking

/// The redirection endpoint of a native application: loopback, any port (RFC 8252 section 7.3).
struct RedirectURI: Sendable, Hashable {
  /// The address exactly as the client sent it; the token request must repeat it.
  let text: String

  /// Accepts `http://127.0.0.1`, `http://[::1]` and `http://localhost` with any port and path.
  init?(_ text: String) {
    guard let components = URLComponents(string: text), components.scheme == "http",
      let host = components.host, ["127.0.0.1", "[::1]", "::1", "localhost"].contains(host),
      components.fragment == nil, components.user == nil, components.password == nil,
      // The text becomes part of a header, so it must not contain a line end.
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    self.text = text
  }

  /// Returns the address with the parameters of an authorization response added to its query.
  func appending(_ parameters: [(name: String, value: String?)]) -> String {
    let query = parameters.compactMap { parameter in
      parameter.value.map { "\(parameter.name)=\(FormEncoding.escape($0))" }
    }
    return text + (text.contains("?") ? "&" : "?") + query.joined(separator: "&")
  }
}
