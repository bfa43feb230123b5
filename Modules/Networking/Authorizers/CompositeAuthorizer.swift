public import HTTPTypes

/// Picks the authorizer that a request is for.
public struct CompositeAuthorizer: RequestAuthorizer {
  private let choose: @Sendable (HTTPRequest) -> any RequestAuthorizer

  /// Creates an authorizer that asks `choose` for each request; the same request must always be
  /// given the same one.
  public init(_ choose: @escaping @Sendable (HTTPRequest) -> any RequestAuthorizer) {
    self.choose = choose
  }

  /// Creates an authorizer that picks by origin; requests to other origins go without credentials.
  public init(_ authorizers: [Origin: any RequestAuthorizer]) {
    self.init { request in
      Origin(request).flatMap { authorizers[$0] } ?? NoAuthorizer()
    }
  }

  /// Lets the picked authorizer add credentials that are at hand.
  public func authorizeImmediately(_ request: inout HTTPRequest) throws -> CredentialGeneration? {
    try choose(request).authorizeImmediately(&request)
  }

  /// Lets the picked authorizer add its credentials.
  public func authorize(_ request: inout HTTPRequest) async throws -> CredentialGeneration {
    try await choose(request).authorize(&request)
  }

  /// Lets the picked authorizer answer.
  public func replaceCredentials(
    rejected generation: CredentialGeneration, request: HTTPRequest, response: HTTPResponse
  ) async throws -> Bool {
    try await choose(request).replaceCredentials(
      rejected: generation, request: request, response: response)
  }
}

/// Adds nothing.
public struct NoAuthorizer: RequestAuthorizer {
  /// Creates it.
  public init() {}

  /// Leaves the request as it is.
  public func authorize(_ request: inout HTTPRequest) async throws -> CredentialGeneration {
    CredentialGeneration(rawValue: 0)
  }

  /// There is nothing newer.
  public func replaceCredentials(
    rejected generation: CredentialGeneration, request: HTTPRequest, response: HTTPResponse
  ) async throws -> Bool { false }
}
