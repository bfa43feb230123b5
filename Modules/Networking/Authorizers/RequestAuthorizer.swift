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
