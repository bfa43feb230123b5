public import Foundation

/// What only a front end can do during a sign-in.
public protocol SignInDelegate: Sendable {
  /// Shows the authorization page to the person, in a browser or as a link to follow.
  ///
  /// It returns as soon as the page is on its way; the answer comes back by itself. The URL holds
  /// nothing that has to be kept secret.
  func showAuthorizationPage(_ url: URL) async throws
}

/// How an account signs in.
public enum SignInMethod: Sendable {
  /// A person approves in a browser: authorization code with PKCE (RFC 6749 4.1, RFC 7636, RFC 8252).
  ///
  /// `timeout` is how long the person may take.
  case authorizationCode(delegate: any SignInDelegate, timeout: Duration = .seconds(300))
  /// The client itself is the account (RFC 6749 section 4.4); for machines without a person.
  case clientCredentials
}
