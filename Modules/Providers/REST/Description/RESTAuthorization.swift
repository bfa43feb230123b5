package import Authentication
package import Networking
import Sync

/// How one signs in at a described provider.
package struct RESTAuthorization: Sendable, Equatable {
  /// An issuer whose metadata names the endpoints that are not named here (RFC 8414).
  package var issuer: String?
  /// Where a person approves.
  package var authorizationURL: String?
  /// Where tokens are had.
  package var tokenURL: String?
  /// Where tokens are given back.
  package var revocationURL: String?
  /// Where a device asks for a code.
  package var deviceAuthorizationURL: String?
  /// What becomes of a refresh token that is sent once more after it was spent.
  package var refreshTokenReplay = RefreshTokenReplay.refused
  /// Whether a renewal names the redirect URI of the sign-in once more.
  package var refreshSendsRedirectURI = false
  /// The parameter of the redirect after the sign-in that names the organisation.
  package var redirectTenantParameter: String?
  /// What is asked for at sign-in.
  package var scopes: [String] = []
  /// How requests show the token.
  package var tokenScheme = TokenScheme.bearer

  package init() {}

  /// Whether there is nowhere to sign in, so that a token has to be handed over.
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
            "authorizationURL and tokenURL are needed together, or issuer; or leave all out, and "
            + "sign in with: appcore login --token-stdin")
      }
    }
    if let parameter = redirectTenantParameter {
      guard !isTokenOnly else {
        throw RESTDescriptionError(
          "redirectTenantParameter", problem: "without a sign-in there is no redirect")
      }
      guard !["code", "state", "error", "iss"].contains(parameter) else {
        throw RESTDescriptionError(
          "redirectTenantParameter", problem: "in a redirect this means something else")
      }
    }
    guard scopes.isEmpty || !isTokenOnly else {
      throw RESTDescriptionError(
        "scopes", problem: "without issuer or tokenURL there is nobody to ask for them")
    }
  }
}
