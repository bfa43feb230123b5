import HTTPTypes
import Networking
import Synchronization

/// A server's credentials, which seem to be newer ones after each refusal.
final class RenewedCredentials: RequestAuthorizer {
  private let credentials: (any RequestAuthorizer)?
  private let refusals = Mutex(0)

  init(_ credentials: (any RequestAuthorizer)?) {
    self.credentials = credentials
  }

  /// How often they were renewed.
  var renewals: Int { refusals.withLock { $0 } }

  func authorizeAtOnce(_ request: inout HTTPRequest) throws -> CredentialGeneration? {
    guard let credentials else { return CredentialGeneration(rawValue: 1) }
    return try credentials.authorizeAtOnce(&request)
  }

  func authorize(_ request: inout HTTPRequest) async throws -> CredentialGeneration {
    guard let credentials else { return CredentialGeneration(rawValue: 1) }
    return try await credentials.authorize(&request)
  }

  func replaceCredentials(
    rejected generation: CredentialGeneration, request: HTTPRequest, response: HTTPResponse
  ) async throws -> Bool {
    refusals.withLock { $0 += 1 }
    return true
  }
}
