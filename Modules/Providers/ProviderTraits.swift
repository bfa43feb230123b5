public import Authentication
public import Networking

/// The facts about a provider that are known without a request to it.
///
/// The configuration can replace every address.
public struct ProviderTraits: Sendable {
  /// The address of the API.
  public var baseURL: String
  /// The authorization endpoint, where the user approves a sign-in.
  public var authorizationURL: String
  /// The token endpoint.
  public var tokenURL: String
  /// The issuer whose metadata names the endpoints that are empty or absent here (RFC 8414).
  public var issuer: String?
  /// The revocation endpoint (RFC 7009).
  public var revocationURL: String?
  /// The device authorization endpoint (RFC 8628).
  public var deviceAuthorizationURL: String?
  /// The way in which a client with a secret authenticates at the token endpoint.
  public var clientAuthentication = OAuthClient.Authentication.basic
  /// The way in which requests carry the access token, or the key that the user passed instead.
  public var tokenScheme = TokenScheme.bearer
  /// The scopes that a sign-in requests.
  public var scopes: [String] = []
  /// The server's reaction to a refresh token that was already used.
  public var refreshTokenReplay = RefreshTokenReplay.refused
  /// True if a renewal repeats the redirect URI of the sign-in, as FreshBooks requires.
  public var refreshSendsRedirectURI = false
  /// True if the token endpoint takes JSON instead of a form, as Square's does.
  public var sendsJSONTokenRequests = false
  /// The host of the redirect URI on this machine, unless the configuration names another.
  public var redirectHost = OAuthClient.LoopbackHost.address
  /// True if the provider registers https redirect URIs only, so that the user pastes the address
  /// on which the browser ends.
  public var needsRedirectPage = false
  /// An https page of the vendor that any app may register as its redirect URI; `nil` if there is
  /// none.
  public var redirectURI: String?
  /// The addresses of the provider's sandbox; `nil` if it has none.
  public var sandbox: SandboxAddresses?
  /// The redirect parameter that names the organisation after a sign-in, such as QuickBooks'
  /// `realmId`.
  ///
  /// Its value is stored with the login, and it is ``ProviderContext/tenantID`` if the
  /// configuration names none.
  public var redirectTenantParameter: String?
  /// True if the provider lists the organisations that a login reaches, so that the user can choose
  /// one.
  public var listsOrganisations = false
  /// The provider's own spelling of its name, such as `QuickBooks`; `nil` if it is the same.
  public var displayName: String?
  /// The facts for the user who sets an account up.
  public var facts = ProviderFacts()
  /// The rate limits that the provider publishes for an account; sessions obey all of them.
  public var rateLimits: [RateLimit] = []
  /// The rate limits that the provider publishes for an application, all its accounts together.
  public var applicationRateLimits: [RateLimit] = []
  /// The largest number of concurrent requests that the provider publishes.
  public var concurrency: Int?
  /// True if the provider has a sign-in; otherwise the user passes a token for each account.
  public let hasSignIn: Bool

  /// Creates the traits of a provider that publishes no limits; the addresses are `https` URLs.
  public init(baseURL: String, authorizationURL: String, tokenURL: String) {
    self.baseURL = baseURL
    self.authorizationURL = authorizationURL
    self.tokenURL = tokenURL
    hasSignIn = true
  }

  /// Creates the traits of a provider without a sign-in: the user passes a token, as with
  /// `appcore login --token-stdin`.
  public init(baseURL: String) {
    self.baseURL = baseURL
    // Nothing is sent to this address; it identifies the server that the tokens belong to.
    authorizationURL = baseURL
    tokenURL = baseURL
    hasSignIn = false
  }
}
