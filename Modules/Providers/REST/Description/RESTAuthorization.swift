package import Authentication
package import Networking
import Sync

/// The sign-in and token settings of a described provider.
package struct RESTAuthorization: Sendable, Equatable {
  /// The issuer whose metadata names the endpoints that are missing here (RFC 8414).
  package var issuer: String?
  /// URL of the authorization endpoint, where the user approves a sign-in.
  package var authorizationURL: String?
  /// URL of the token endpoint.
  package var tokenURL: String?
  /// URL of the revocation endpoint (RFC 7009).
  package var revocationURL: String?
  /// URL of the device authorization endpoint (RFC 8628).
  package var deviceAuthorizationURL: String?
  /// The server's reaction to a refresh token that was already used.
  package var refreshTokenReplay = RefreshTokenReplay.refused
  /// True if a renewal repeats the redirect URI of the sign-in.
  package var refreshSendsRedirectURI = false
  /// The redirect parameter that names the organisation after a sign-in.
  package var redirectTenantParameter: String?
  /// The scopes that a sign-in requests.
  package var scopes: [String] = []
  /// The way in which requests carry the token.
  package var tokenScheme = TokenScheme.bearer

  package init() {}

  /// True if the provider has no sign-in, so that the user passes a token.
  package var isTokenOnly: Bool { issuer == nil && tokenURL == nil }

  func validate() throws(RESTDescriptionError) {
    let endpoints = [
      ("authorizationURL", authorizationURL), ("tokenURL", tokenURL),
      ("revocationURL", revocationURL), ("deviceAuthorizationURL", deviceAuthorizationURL),
    ]
    for (key, url) in endpoints where url != nil && issuer == nil {
      guard authorizationURL != nil, tokenURL != nil else {
        throw RESTDescriptionError(
          key,
          problem:
            "set authorizationURL and tokenURL together, or issuer; or remove all of them, and pass "
            + "a token with --token-stdin")
      }
    }
    if let parameter = redirectTenantParameter {
      guard !isTokenOnly else {
        throw RESTDescriptionError(
          "redirectTenantParameter",
          problem: "this provider has no sign-in, so no redirect; remove it")
      }
      guard !["code", "state", "error", "iss"].contains(parameter) else {
        throw RESTDescriptionError(
          "redirectTenantParameter", problem: "OAuth defines another meaning for this parameter")
      }
    }
    guard scopes.isEmpty || !isTokenOnly else {
      throw RESTDescriptionError(
        "scopes", problem: "scopes need issuer or tokenURL; remove them, or set one")
    }
  }
}
