public import HTTPTypes
public import Networking

/// Puts one account's access token on requests to the origins it was made for.
///
/// A valid token is read without entering the authenticator; an expired one joins the one renewal.
public struct AccountAuthorizer: RequestAuthorizer {
  private let account: String
  private let origins: OriginSet
  private let authenticator: Authenticator
  private let lease: CredentialLease

  init(account: String, origins: Set<Origin>, authenticator: Authenticator, lease: CredentialLease)
  {
    self.account = account
    self.origins = OriginSet(origins)
    self.authenticator = authenticator
    self.lease = lease
  }

  /// Writes the header that shows the token, where there is a valid one.
  public func authorizeImmediately(_ request: inout HTTPRequest) throws -> CredentialGeneration? {
    guard origins.contains(request) else {
      throw SessionError.credentialsRefused(origin: Origin(request))
    }
    guard case .authorized(let generation, let isDue) = lease.authorize(&request) else {
      return nil
    }
    // Nobody waits for a renewal while the token can still be sent.
    if isDue { renewEarly() }
    return generation
  }

  private func renewEarly() {
    let (authenticator, account) = (authenticator, account)
    Task { await authenticator.renewEarly(account) }
  }

  /// Writes the header that shows the token, waiting for a renewal only where there is no valid token.
  public func authorize(_ request: inout HTTPRequest) async throws -> CredentialGeneration {
    if let generation = try authorizeImmediately(&request) { return generation }
    // What the renewal brought is used as it is, also where it has ended already: asking again
    // would renew for ever where a server hands out tokens without a lifetime.
    let credential = try await authenticator.credential(for: account)
    let field = credential.field(lease.scheme)
    request.headerFields[field.name] = field.value
    return credential.generation
  }

  /// Sees to it that credentials newer than the rejected ones are there.
  public func replaceCredentials(
    rejected generation: CredentialGeneration, request: HTTPRequest, response: HTTPResponse
  ) async throws -> Bool {
    if let held = lease.generation, held.rawValue > generation.rawValue { return true }
    return try await authenticator.replaceCredential(for: account, rejected: generation)
  }
}
