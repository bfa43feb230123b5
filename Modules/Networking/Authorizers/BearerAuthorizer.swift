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

/// The way in which a token or an API key is sent to an API.
///
/// Whatever the field, it is treated like `Authorization`: it is sent only to the token's origins,
/// no redirect takes it elsewhere, and no log, trace or error shows it.
public enum TokenScheme: Sendable, Hashable {
  /// `Authorization: Bearer TOKEN` (RFC 6750 section 2.1).
  case bearer
  /// `Authorization: Basic …` with the token as the user and no password (RFC 7617 section 2); a
  /// token with a colon is user and password.
  case basic
  /// A field that the API names, such as `X-API-TOKEN`, with a prefix, such as `Token `.
  ///
  /// It cannot be a field that a session sets itself, or one that follows a redirect to another
  /// origin, such as `Accept`.
  case header(HTTPField.Name, prefix: String = "")

  /// True if the scheme's field may hold a token.
  package var isSafe: Bool {
    guard case .header(let name, _) = self else { return true }
    return !Request.frame.contains(name) && !RedirectMiddleware.harmless.contains(name)
  }

  /// Returns the field that holds a token.
  package func field(for token: String) -> HTTPField {
    switch self {
    case .bearer: HTTPField(name: .authorization, value: "Bearer " + token)
    case .basic:
      HTTPField(
        name: .authorization,
        value: BasicAuthorizer.header(token.contains(":") ? token : token + ":"))
    case .header(let name, let prefix): HTTPField(name: name, value: prefix + token)
    }
  }
}
