/// A valid request at the authorization endpoint (RFC 6749 section 4.1.1, RFC 7636 section 4.3).
struct AuthorizationRequest: Sendable, Hashable {
  let clientID: String
  let redirectURI: RedirectURI
  let state: String?
  let scope: Scope
  let challenge: String
}

/// The outcome of a request at the authorization endpoint.
enum AuthorizationOutcome {
  /// The server asks the user.
  case valid(AuthorizationRequest)
  /// The server reports the error to the client by a redirect.
  case refused(OAuthError, redirectURI: RedirectURI, state: String?)
  /// The request is not trustworthy enough for a redirect, so a page reports it (section 4.1.2.1).
  case untrusted(String)
}

extension AuthorizationOutcome {
  /// Checks the query of a request.
  init(query parameters: FormParameters, clientID known: String) {
    guard parameters.repeated.isDisjoint(with: ["client_id", "redirect_uri"]) else {
      self = .untrusted("client_id or redirect_uri is repeated.")
      return
    }
    guard let clientID = parameters["client_id"], clientID == known else {
      self = .untrusted("The client is not registered.")
      return
    }
    guard let redirectURI = parameters["redirect_uri"].flatMap(RedirectURI.init) else {
      self = .untrusted("The redirect URI is missing or is not a loopback address.")
      return
    }
    do {
      self = .valid(try Self.request(parameters, clientID: clientID, redirectURI: redirectURI))
    } catch {
      self = .refused(error, redirectURI: redirectURI, state: parameters["state"])
    }
  }

  private static func request(
    _ parameters: FormParameters, clientID: String, redirectURI: RedirectURI
  ) throws(OAuthError) -> AuthorizationRequest {
    guard parameters.repeated.isEmpty else {
      throw OAuthError(.invalidRequest, "A parameter is repeated.")
    }
    guard let responseType = parameters["response_type"] else {
      throw OAuthError(.invalidRequest, "response_type is missing.")
    }
    guard responseType == "code" else {
      throw OAuthError(.unsupportedResponseType, "Only the response type code is supported.")
    }
    guard let challenge = parameters["code_challenge"], CodeChallenge.isWellFormed(challenge),
      parameters["code_challenge_method"] == "S256"
    else {
      throw OAuthError(.invalidRequest, "A PKCE challenge with the method S256 is required.")
    }
    guard let scope = parameters["scope"].map(Scope.init) ?? .standard else {
      throw OAuthError(.invalidScope, "The scope is malformed.")
    }
    return AuthorizationRequest(
      clientID: clientID, redirectURI: redirectURI, state: parameters["state"], scope: scope,
      challenge: challenge)
  }
}
