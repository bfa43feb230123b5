public import Providers

/// Addresses of a provider that replace the built-in ones.
public struct ProviderEndpoints: Sendable, Hashable {
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
  static let settings: [Setting<ProviderEndpoints>] = [
    address("baseURL", \.baseURL, "Address of the API", "v1"),
    address(
      "issuer", \.issuer, "Issuer whose metadata names the endpoints that are not set here", ""),
    address("authorizationURL", \.authorizationURL, "Authorization endpoint", "authorize"),
    address("tokenURL", \.tokenURL, "Token endpoint", "token"),
    address("revocationURL", \.revocationURL, "Revocation endpoint", "revoke"),
    address(
      "deviceAuthorizationURL", \.deviceAuthorizationURL, "Device authorization endpoint", "device"),
  ]

  private static func address(
    _ name: String, _ path: any WritableKeyPath<Self, String?> & Sendable, _ summary: String,
    _ example: String
  ) -> Setting<Self> {
    Setting(
      name, path, .serverAddress, summary, default: .documented("the provider's"),
      example: "https://api.example.com/\(example)")
  }

  init(_ node: ConfigurationNode) throws {
    try node.read(Self.settings, into: &self)
  }
}
