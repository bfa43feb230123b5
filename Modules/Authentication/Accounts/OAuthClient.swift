public import SecureStore

/// The client as which an account signs in (RFC 6749 section 2).
public struct OAuthClient: Sendable {
  /// The way in which a client sends its secret to the token endpoint.
  public enum Authentication: String, Sendable, Codable {
    /// No secret: a public client (RFC 8252 section 8.5).
    case none
    /// In the `Authorization` header (RFC 6749 section 2.3.1).
    case basic = "client_secret_basic"
    /// In the form (RFC 6749 section 2.3.1).
    case post = "client_secret_post"
  }

  /// The client identifier.
  public let id: String
  /// The client secret, for a confidential client.
  public let secret: Secret?
  /// The way in which the secret is sent.
  public let authentication: Authentication
  /// The loopback port of the redirect URI; 0 means any free port (RFC 8252 section 7.3).
  public let redirectPort: Int

  /// The redirect URI; `nil` if each sign-in uses a new port.
  var redirectURI: String? {
    redirectPort == 0 ? nil : LoopbackListener.redirectURI(port: redirectPort)
  }

  /// Creates a client; without a secret it is a public client.
  public init(
    id: String, secret: Secret? = nil, authentication: Authentication = .basic,
    redirectPort: Int = 0
  ) {
    self.id = id
    self.secret = secret
    self.authentication = secret == nil ? .none : authentication
    self.redirectPort = redirectPort
  }
}
