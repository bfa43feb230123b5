public import SecureStore

/// An account as it is configured: who it is called, where it signs in and as which client.
public struct Account: Sendable {
  /// The name people give it, such as `default`; it is shown, and names a key and a lock file.
  public let name: String
  /// Where it signs in.
  public let server: AuthorizationServerSource
  /// The client that it signs in with.
  public let client: OAuthClient
  /// What is asked for at sign-in.
  public let scopes: [String]

  /// Creates an account, or `nil` where the name is not 1 to 64 letters, digits, `.`, `_` or `-`,
  /// beginning with a letter or digit.
  public init?(
    name: String, server: AuthorizationServerSource, client: OAuthClient, scopes: [String] = []
  ) {
    guard Self.isValid(name: name) else { return nil }
    self.name = name
    self.server = server
    self.client = client
    self.scopes = scopes
  }

  /// Whether a text can name an account.
  public static func isValid(name: String) -> Bool {
    name.wholeMatch(of: #/[A-Za-z0-9][A-Za-z0-9._\-]{0,63}/#) != nil
  }
}

/// The client that an account signs in as (RFC 6749 section 2).
public struct OAuthClient: Sendable {
  /// How a client with a secret shows it to the token endpoint.
  public enum Authentication: String, Sendable, Codable {
    /// A public client: it has no secret (RFC 8252 section 8.5).
    case none
    /// In the `Authorization` header (RFC 6749 2.3.1).
    case basic = "client_secret_basic"
    /// In the form (RFC 6749 2.3.1).
    case post = "client_secret_post"
  }

  /// The client identifier.
  public let id: String
  /// The client secret, for a confidential client.
  public let secret: Secret?
  /// How the secret is shown.
  public let authentication: Authentication
  /// The loopback port of the redirect URI; 0 takes any free one (RFC 8252 section 7.3).
  public let redirectPort: Int

  /// Creates a client; without a secret it authenticates with nothing.
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
