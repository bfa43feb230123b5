public import HTTPTypes

/// An authorizer that picks another one for each request.
public struct CompositeAuthorizer: RequestAuthorizer {
  private let choose: @Sendable (HTTPRequest) -> any RequestAuthorizer

  /// Creates an authorizer that asks `choose` for each request; it must choose the same one for the
  /// same request.
  public init(_ choose: @escaping @Sendable (HTTPRequest) -> any RequestAuthorizer) {
    self.choose = choose
  }

  /// Creates an authorizer that picks by origin; requests to other origins go without credentials.
  public init(_ authorizers: [Origin: any RequestAuthorizer]) {
    self.init { request in
      Origin(request).flatMap { authorizers[$0] } ?? NoAuthorizer()
    }
  }

  /// Lets the picked authorizer add credentials that need no waiting.
  public func authorizeImmediately(_ request: inout HTTPRequest) throws -> CredentialGeneration? {
    try choose(request).authorizeImmediately(&request)
  }

  /// Lets the picked authorizer add its credentials.
  public func authorize(_ request: inout HTTPRequest) async throws -> CredentialGeneration {
    try await choose(request).authorize(&request)
  }

  /// Lets the picked authorizer replace its credentials.
  public func replaceCredentials(
    rejected generation: CredentialGeneration, request: HTTPRequest, response: HTTPResponse
  ) async throws -> Bool {
    try await choose(request).replaceCredentials(
      rejected: generation, request: request, response: response)
  }
}

/// An authorizer that adds nothing.
public struct NoAuthorizer: RequestAuthorizer {
  /// Creates the authorizer.
  public init() {}

  /// Leaves the request unchanged.
  public func authorize(_ request: inout HTTPRequest) async throws -> CredentialGeneration {
    CredentialGeneration(rawValue: 0)
  }

  /// Returns `false`: there are no credentials to replace.
  public func replaceCredentials(
    rejected generation: CredentialGeneration, request: HTTPRequest, response: HTTPResponse
  ) async throws -> Bool { false }
}
