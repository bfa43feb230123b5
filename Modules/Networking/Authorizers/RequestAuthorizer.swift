public import HTTPTypes

/// Adds credentials to a session's requests, and replaces them when a server rejects them.
public protocol RequestAuthorizer: Sendable {
  /// Adds credentials if that needs no waiting.
  ///
  /// - Returns: the generation that was added; `nil`, with the request unchanged, if adding them
  ///   requires waiting.
  ///
  /// A session calls this first: credentials that need no waiting should cost no suspension.
  func authorizeImmediately(_ request: inout HTTPRequest) throws -> CredentialGeneration?

  /// Adds credentials to a request that is about to be sent, and returns their generation.
  ///
  /// It may wait for a renewal. If the request is cancelled or its time is up, only its own wait
  /// ends.
  func authorize(_ request: inout HTTPRequest) async throws -> CredentialGeneration

  /// Replaces the credentials after the server answered 401 to a request with this generation.
  ///
  /// - Returns: `true` if newer credentials are available and one more attempt makes sense.
  func replaceCredentials(
    rejected generation: CredentialGeneration, request: HTTPRequest, response: HTTPResponse
  ) async throws -> Bool
}

extension RequestAuthorizer {
  /// Returns `nil`, so that the session calls ``authorize(_:)``.
  public func authorizeImmediately(_ request: inout HTTPRequest) throws -> CredentialGeneration? {
    nil
  }
}

/// The number of a set of credentials; a later set has a greater one.
public struct CredentialGeneration: Sendable, Hashable {
  /// The number.
  public let rawValue: UInt64

  /// Creates a generation.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}

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
