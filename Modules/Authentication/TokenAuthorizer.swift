package import HTTPTypes
package import Networking
import SecureStore

/// An authorizer that sends given tokens, which are not stored, to one origin: to try them out.
package struct TokenAuthorizer: RequestAuthorizer {
  private let tokens: TokenSet
  private let scheme: TokenScheme
  private let origins: OriginSet

  package init(_ tokens: TokenSet, scheme: TokenScheme, origin: Origin) {
    self.tokens = tokens
    self.scheme = scheme
    origins = OriginSet([origin])
  }

  /// Writes the header with the token.
  package func authorize(_ request: inout HTTPRequest) async throws -> CredentialGeneration {
    guard origins.contains(request) else {
      throw SessionError.credentialsRefused(origin: Origin(request))
    }
    let field = scheme.field(for: tokens.accessToken.exposedText ?? "")
    request.headerFields[field.name] = field.value
    return CredentialGeneration(rawValue: 0)
  }

  /// Returns `false`: nothing renews tokens that are only tried out.
  package func replaceCredentials(
    rejected generation: CredentialGeneration, request: HTTPRequest, response: HTTPResponse
  ) async throws -> Bool { false }
}
