import Authentication

/// The servers of a provider: those with real books, or those for trying an app.
public enum ProviderEnvironment: String, Sendable, CaseIterable {
  /// Real books.
  case production
  /// Made-up books, at addresses of their own.
  case sandbox
}

/// The addresses of a provider's sandbox that differ from those of production.
public struct SandboxAddresses: Sendable, Equatable {
  /// The address of the API.
  public var baseURL: String
  /// The authorization endpoint; `nil` if it is production's.
  public var authorizationURL: String?
  /// The token endpoint; `nil` if it is production's.
  public var tokenURL: String?

  /// Creates the addresses of a sandbox with production's endpoints.
  public init(baseURL: String) {
    self.baseURL = baseURL
  }
}

extension ProviderTraits {
  /// Returns the traits of an environment; a provider without a sandbox has the same in both.
  package func of(_ environment: ProviderEnvironment) -> ProviderTraits {
    guard environment == .sandbox, let sandbox else { return self }
    var traits = self
    traits.baseURL = sandbox.baseURL
    traits.authorizationURL = sandbox.authorizationURL ?? authorizationURL
    traits.tokenURL = sandbox.tokenURL ?? tokenURL
    // Vendors allow http for `localhost` alone, and for their sandboxes alone.
    traits.needsRedirectPage = false
    traits.redirectURI = nil
    traits.redirectHost = needsRedirectPage ? .localhost : redirectHost
    return traits
  }
}
