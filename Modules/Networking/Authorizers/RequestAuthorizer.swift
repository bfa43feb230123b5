public import HTTPTypes

/// Adds credentials to a session's requests, and answers when a server rejects them.
public protocol RequestAuthorizer: Sendable {
  /// Adds credentials if that needs no waiting.
  ///
  /// - Returns: the generation that was added; `nil`, with the request unchanged, if they have to
  ///   be waited for.
  ///
  /// A session asks here first: what needs no waiting should cost no suspension.
  func authorizeImmediately(_ request: inout HTTPRequest) throws -> CredentialGeneration?

  /// Adds credentials to a request that is about to be sent, and returns their generation.
  ///
  /// It may wait for a renewal. When the request is cancelled or its time is up, only its own
  /// waiting ends.
  func authorize(_ request: inout HTTPRequest) async throws -> CredentialGeneration

  /// Told that the server answered 401 to a request with credentials of this generation.
  ///
  /// - Returns: `true` where newer ones are there now and one more attempt makes sense.
  func replaceCredentials(
    rejected generation: CredentialGeneration, request: HTTPRequest, response: HTTPResponse
  ) async throws -> Bool
}

extension RequestAuthorizer {
  /// Leaves it to ``authorize(_:)``.
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
