import HTTPTypes
import Networking
import Synchronization

/// A server's credentials that pretend to be renewed after each rejection.
final class RenewedCredentials: RequestAuthorizer {
  private let current: Mutex<(any RequestAuthorizer)?>
  private let refusals = Mutex(0)
  private let signIns = Mutex(1)

  init(_ credentials: (any RequestAuthorizer)?) {
    current = Mutex(credentials)
  }

  /// The sign-in that requests are sent with.
  var login: String { "sign-in \(signIns.withLock { $0 })" }

  /// Switches to the credentials of a new sign-in.
  func signIn(_ credentials: (any RequestAuthorizer)?) {
    current.withLock { $0 = credentials }
    signIns.withLock { $0 += 1 }
  }

  private var credentials: (any RequestAuthorizer)? { current.withLock { $0 } }

  /// Number of renewals.
  var renewals: Int { refusals.withLock { $0 } }

  func authorizeImmediately(_ request: inout HTTPRequest) throws -> CredentialGeneration? {
    guard let credentials else { return CredentialGeneration(rawValue: 1) }
    return try credentials.authorizeImmediately(&request)
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
