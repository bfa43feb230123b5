public import Providers

/// Addresses of a provider that replace the built-in ones.
public struct ProviderEndpoints: Sendable, Equatable {
  /// The servers whose addresses are used where none is named here.
  public var environment = ProviderEnvironment.production
  /// The address of the API.
  public var baseURL: String?
  /// An issuer whose metadata names the endpoints that are not named here (RFC 8414).
  public var issuer: String?
  /// The authorization endpoint.
  public var authorizationURL: String?
  /// The token endpoint.
  public var tokenURL: String?
  /// The revocation endpoint.
  public var revocationURL: String?
  /// The device authorization endpoint.
  public var deviceAuthorizationURL: String?

  /// Creates a set without any addresses.
  public init() {}
}

extension ProviderEndpoints {
  private enum Key: String, CaseIterable {
    case baseURL, issuer, authorizationURL, tokenURL, revocationURL, deviceAuthorizationURL
  }

  init(_ node: ConfigurationNode) throws {
    try node.readKeys(Key.self) { key, value in
      let text = try value.serverAddress()
      switch key {
      case .baseURL: baseURL = text
      case .issuer: issuer = text
      case .authorizationURL: authorizationURL = text
      case .tokenURL: tokenURL = text
      case .revocationURL: revocationURL = text
      case .deviceAuthorizationURL: deviceAuthorizationURL = text
      }
    }
  }
}
