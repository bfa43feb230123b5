import Networking
import SecureStore

/// A grant that the token endpoint exchanges for tokens.
enum TokenGrant: Sendable {
  /// RFC 6749 section 4.1.3, RFC 7636 section 4.5.
  case authorizationCode(code: Secret, verifier: Secret, redirectURI: String)
  /// RFC 6749 section 6; with the redirect URI of the sign-in for servers that require it again.
  case refreshToken(Secret, redirectURI: String?)
  /// RFC 6749 section 4.4.
  case clientCredentials(scopes: [String])
  /// RFC 8628 section 3.4.
  case deviceCode(Secret)

  /// True if the answer to a request that was lost cannot be asked for again.
  var isSingleUse: Bool {
    switch self {
    case .authorizationCode, .refreshToken: true
    // The next poll asks again.
    case .clientCredentials, .deviceCode: false
    }
  }

  var fields: [(name: String, value: String)] {
    switch self {
    case .authorizationCode(let code, let verifier, let redirectURI):
      [
        ("grant_type", "authorization_code"), ("code", code.exposedText ?? ""),
        ("redirect_uri", redirectURI), ("code_verifier", verifier.exposedText ?? ""),
      ]
    case .refreshToken(let token, let redirectURI):
      [("grant_type", "refresh_token"), ("refresh_token", token.exposedText ?? "")]
        + (redirectURI.map { [("redirect_uri", $0)] } ?? [])
    case .clientCredentials(let scopes):
      [("grant_type", "client_credentials")]
        + (scopes.isEmpty ? [] : [("scope", scopes.joined(separator: " "))])
    case .deviceCode(let code):
      [
        ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
        ("device_code", code.exposedText ?? ""),
      ]
    }
  }
}

extension SessionConfiguration {
  /// The longest time for an exchange of a single-use value, retries included.
  ///
  /// Once the request is written, the value may be spent, and waiting costs less than giving up.
  /// Other processes count on the limit: after it, the request has ended.
  var exchangeLimit: Duration { timeout.operation ?? max(timeout.request, .seconds(120)) }
}
