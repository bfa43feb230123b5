public import HTTPTypes

/// The way in which a token or an API key is sent to an API.
///
/// Whatever the field, it is treated like `Authorization`: it is sent only to the token's origins,
/// no redirect takes it elsewhere, and no log, trace or error shows it.
public enum TokenScheme: Sendable, Hashable {
  /// `Authorization: Bearer TOKEN` (RFC 6750 section 2.1).
  case bearer
  /// `Authorization: Basic …` with the token as the user and no password (RFC 7617 section 2); a
  /// token with a colon is user and password.
  case basic
  /// A field that the API names, such as `X-API-TOKEN`, with a prefix, such as `Token `.
  ///
  /// It cannot be a field that a session sets itself, or one that follows a redirect to another
  /// origin, such as `Accept`.
  case header(HTTPField.Name, prefix: String = "")

  /// True if the scheme's field may hold a token.
  package var isSafe: Bool {
    guard case .header(let name, _) = self else { return true }
    return !Request.frame.contains(name) && !RedirectMiddleware.harmless.contains(name)
  }

  /// Returns the field that holds a token.
  package func field(for token: String) -> HTTPField {
    switch self {
    case .bearer: HTTPField(name: .authorization, value: "Bearer " + token)
    case .basic:
      HTTPField(
        name: .authorization,
        value: BasicAuthorizer.header(token.contains(":") ? token : token + ":"))
    case .header(let name, let prefix): HTTPField(name: name, value: prefix + token)
    }
  }
}
