public import HTTPTypes

/// The way that a token or an API key is sent to an API.
///
/// Whatever the field, it is treated like `Authorization`: it goes to the origins that it was made
/// for alone, no redirect takes it elsewhere, and no log, trace or error shows it.
public enum TokenScheme: Sendable, Hashable {
  /// `Authorization: Bearer TOKEN` (RFC 6750 section 2.1).
  case bearer
  /// `Authorization: Basic …` with the token as the user and no password (RFC 7617 section 2); one
  /// with a colon in it is user and password.
  case basic
  /// In a field that the API names, such as `X-API-TOKEN`, behind a text of its own, such as `Token
  /// `; in no field that a session sets itself, or that follows a redirect to another origin, as
  /// `Accept`.
  case header(HTTPField.Name, prefix: String = "")

  /// True if it names a field that may hold a token.
  package var isSafe: Bool {
    guard case .header(let name, _) = self else { return true }
    return !Request.frame.contains(name) && !RedirectMiddleware.harmless.contains(name)
  }

  /// The field that shows a token.
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
