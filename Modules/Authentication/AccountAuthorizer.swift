public import HTTPTypes
public import Networking
import SecureStore

/// The authorizer of one account: it adds the access token to requests to the account's origins.
///
/// It reads a valid token without entering an actor; a request without one joins the one renewal.
public struct AccountAuthorizer: RequestAuthorizer {
  private let login: AccountLogin
  /// The login's lease, kept here so that a request with a valid token touches no other object.
  private let lease: CredentialLease
  private let secondSecret: SecondSecret?
  private let origins: OriginSet
  /// Keeps the authenticator, and its watch on other processes, alive.
  private let authenticator: Authenticator

  init(login: AccountLogin, origins: Set<Origin>, authenticator: Authenticator) {
    self.login = login
    lease = login.lease
    secondSecret = login.account.secondSecret
    self.origins = OriginSet(origins)
    self.authenticator = authenticator
  }

  /// Writes the header with the token, if there is a valid one.
  public func authorizeImmediately(_ request: inout HTTPRequest) throws -> CredentialGeneration? {
    guard origins.contains(request) else {
      throw SessionError.credentialsRefused(origin: Origin(request))
    }
    guard case .authorized(let generation, let isDue) = lease.authorize(&request) else {
      return nil
    }
    secondSecret?.write(to: &request)
    // The token can still be sent, so the request does not wait for its renewal.
    if isDue { renewEarly() }
    return generation
  }

  private func renewEarly() {
    Task { [login] in await login.renewEarly() }
  }

  /// Writes the header with the token, and waits for a renewal only if there is no valid token.
  public func authorize(_ request: inout HTTPRequest) async throws -> CredentialGeneration {
    if let generation = try authorizeImmediately(&request) { return generation }
    // The renewed token is used even if it has expired already: a server that issues tokens without
    // a lifetime would otherwise cause endless renewals.
    let credential = try await login.credential()
    let field = credential.field(lease.scheme)
    request.headerFields[field.name] = field.value
    secondSecret?.write(to: &request)
    return credential.generation
  }

  /// Waits until credentials newer than the rejected ones are available.
  ///
  /// - Returns: `false` if the API keeps rejecting fresh credentials.
  public func replaceCredentials(
    rejected generation: CredentialGeneration, request: HTTPRequest, response: HTTPResponse
  ) async throws -> Bool {
    if let current = lease.generation, current.rawValue > generation.rawValue { return true }
    return try await login.replaceCredential(rejected: generation)
  }
}

/// An authorizer that sends given tokens, which are not stored, to one origin: to try them out.
package struct TokenAuthorizer: RequestAuthorizer {
  private let tokens: TokenSet
  private let scheme: TokenScheme
  private let secondSecret: SecondSecret?
  private let origins: OriginSet

  package init(
    _ tokens: TokenSet, scheme: TokenScheme, secondSecret: SecondSecret? = nil, origin: Origin
  ) {
    self.tokens = tokens
    self.scheme = scheme
    self.secondSecret = secondSecret
    origins = OriginSet([origin])
  }

  /// Writes the header with the token.
  package func authorize(_ request: inout HTTPRequest) async throws -> CredentialGeneration {
    guard origins.contains(request) else {
      throw SessionError.credentialsRefused(origin: Origin(request))
    }
    let field = scheme.field(for: tokens.accessToken.exposedText ?? "")
    request.headerFields[field.name] = field.value
    secondSecret?.write(to: &request)
    return CredentialGeneration(rawValue: 0)
  }

  /// Returns `false`: nothing renews tokens that are only tried out.
  package func replaceCredentials(
    rejected generation: CredentialGeneration, request: HTTPRequest, response: HTTPResponse
  ) async throws -> Bool { false }
}
