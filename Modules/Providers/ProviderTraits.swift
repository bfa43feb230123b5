public import Authentication
public import Networking

/// The facts that are known of a provider without asking it; every address can be configured
/// otherwise.
public struct ProviderTraits: Sendable {
  /// The address of the API.
  public var baseURL: String
  /// The authorization endpoint, where the user approves a sign-in.
  public var authorizationURL: String
  /// The token endpoint.
  public var tokenURL: String
  /// An issuer whose metadata names the endpoints that are empty or absent here (RFC 8414).
  public var issuer: String?
  /// The revocation endpoint (RFC 7009).
  public var revocationURL: String?
  /// The device authorization endpoint (RFC 8628).
  public var deviceAuthorizationURL: String?
  /// The way in which a client with a secret authenticates at the token endpoint.
  public var clientAuthentication = OAuthClient.Authentication.basic
  /// The way in which requests show the access token, or the key that was passed in its place.
  public var tokenScheme = TokenScheme.bearer
  /// The scopes that a sign-in asks for.
  public var scopes: [String] = []
  /// The server's answer to a refresh token that was spent before.
  public var refreshTokenReplay = RefreshTokenReplay.refused
  /// Whether a renewal names the redirect URI of the sign-in once more, as FreshBooks wants it.
  public var refreshSendsRedirectURI = false
  /// The parameter of the redirect after a sign-in that names the organisation, such as QuickBooks'
  /// `realmId`.
  ///
  /// Its value is kept with the login, and is ``ProviderContext/tenantID`` where the configuration
  /// names none.
  public var redirectTenantParameter: String?
  /// The limits on the rate of requests that the provider publishes; sessions keep all of them.
  public var rateLimits: [RateLimit] = []
  /// The largest number of concurrent requests that the provider publishes.
  public var concurrency: Int?
  /// Whether the provider has a sign-in; else its accounts are given a token.
  public let hasSignIn: Bool

  /// Creates the traits of a provider that publishes no limits; the addresses are `https` URLs.
  public init(baseURL: String, authorizationURL: String, tokenURL: String) {
    self.baseURL = baseURL
    self.authorizationURL = authorizationURL
    self.tokenURL = tokenURL
    hasSignIn = true
  }

  /// Creates the traits of a provider without a sign-in: its accounts are given a token, as
  /// `appcore login --token-stdin` does.
  public init(baseURL: String) {
    self.baseURL = baseURL
    // Nothing is sent there; the address identifies the server that the tokens belong to.
    authorizationURL = baseURL
    tokenURL = baseURL
    hasSignIn = false
  }
}
