public import HTTPTypes

/// A bearer token that never changes (RFC 6750), for a set of origins.
public struct BearerAuthorizer: RequestAuthorizer {
  private let header: String
  private let origins: OriginSet

  /// Creates an authorizer.
  ///
  /// - Throws: ``SessionError/invalidRequest(reason:)`` if the token is empty or not visible ASCII.
  public init(token: String, origins: Set<Origin>) throws(SessionError) {
    guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .invalidRequest(reason: "a bearer token must be visible ASCII")
    }
    header = "Bearer " + token
    self.origins = OriginSet(origins)
  }

  /// Adds the token; refuses another origin.
  public func authorize(_ request: inout HTTPRequest) async throws -> CredentialGeneration {
    try add(to: &request)
  }

  /// Adds the token; refuses another origin.
  public func authorizeImmediately(_ request: inout HTTPRequest) throws -> CredentialGeneration? {
    try add(to: &request)
  }

  private func add(to request: inout HTTPRequest) throws -> CredentialGeneration {
    guard origins.contains(request) else {
      throw SessionError.credentialsRefused(origin: Origin(request))
    }
    request.headerFields[.authorization] = header
    return CredentialGeneration(rawValue: 0)
  }

  /// Returns `false`: there is never a newer token.
  public func replaceCredentials(
    rejected generation: CredentialGeneration, request: HTTPRequest, response: HTTPResponse
  ) async throws -> Bool { false }
}

extension BearerAuthorizer: CustomStringConvertible, CustomReflectable {
  /// A constant text, so that the token is never shown.
  public var description: String { "BearerAuthorizer(redacted)" }
  /// A mirror without children, so that the token is never shown.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
