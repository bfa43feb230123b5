public import Authentication
public import HTTPTypes
public import Models
public import Networking

/// The facts about a provider that are known without a request to it.
///
/// Commands, hints and guides take what they say of a provider from here. The configuration can
/// replace every address.
public struct ProviderProfile: Sendable {
  /// The vendor's own spelling of the provider's name, such as `QuickBooks`.
  public var title: String
  /// The records that are fetched, such as `invoices, bills`.
  public var records: String
  /// The part of the list that a sync reads, such as `what changed`.
  public var reads: String
  /// The ways to sign in, such as `browser`.
  public var signIn: String

  // MARK: Registration

  /// The page on which the user registers an app, or else gets a token; `nil` if it is unknown.
  public var registrationURL: String?
  /// The steps on that page that are easily missed, in the vendor's own words.
  public var steps: String?
  /// The same for an app of the sandbox.
  public var sandboxSteps: String?
  /// The steps to a token, if an app for a sign-in has others.
  public var tokenSteps: String?
  /// The provider's word for what a user passes instead of a sign-in in a browser.
  public var tokenName = "access token"
  /// The provider's word for the client identifier.
  public var clientIDName = "client ID"
  /// The provider's word for the redirect URI.
  public var redirectName = "redirect URI"
  /// True if an app for the sign-in has a client secret, false if it has none; `nil` if it depends.
  public var hasClientSecret: Bool?
  /// True if an account without a client identifier passes a token.
  public var takesToken = false
  /// The address to set, in words, if customers of the vendor have different ones; `nil` if
  /// ``baseURL`` is the same for all.
  public var site: String?
  /// True if ``baseURL`` is only an example, so that each account has to name its address.
  public var needsAddress = false
  /// True if each account has to name an organisation, because no sign-in names one.
  public var needsOrganisation = false
  /// True if the provider is described from the vendor's documentation, and was not tried with the
  /// vendor's servers.
  public var isFromDocumentation = false
  /// True if a user registers an app for a sign-in in a browser; false if a token is the usual way.
  public var registersApp = true

  // MARK: Addresses

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
  /// The addresses of the provider's sandbox; `nil` if it has none.
  public var sandbox: SandboxAddresses?

  // MARK: Sign-in

  /// The way in which a client with a secret authenticates at the token endpoint.
  public var clientAuthentication = OAuthClient.Authentication.basic
  /// The way in which requests carry the access token, or the key that the user passed instead.
  public var tokenScheme = TokenScheme.bearer
  /// The header field in which each request carries the client secret beside the token, for an API
  /// that expects two secrets.
  public var secretHeader: HTTPField.Name?
  /// The scopes that a sign-in requests.
  public var scopes: [String] = []
  /// The scope that each list needs, if it has one of its own; a login without it syncs the other
  /// lists.
  public var listScopes: [Resource: String] = [:]
  /// The permission of a token that each list needs, in the words of the page on which the user
  /// creates the token.
  public var listPermissions: [Resource: String] = [:]
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
  /// The redirect parameter that names the organisation after a sign-in, such as QuickBooks'
  /// `realmId`.
  ///
  /// Its value is stored with the login, and it is ``ProviderContext/tenantID`` if the
  /// configuration names none.
  public var redirectTenantParameter: String?
  /// True if the provider lists the organisations that a login reaches, so that the user can choose
  /// one.
  public var listsOrganisations = false
  /// True if each sign-in connects one more organisation, unless the vendor has certified the app.
  public var connectsOneByOne = false

  // MARK: Limits

  /// The rate limits that the provider publishes for an account; sessions obey all of them.
  public var rateLimits: [RateLimit] = []
  /// The rate limits that the provider publishes for an application, all its accounts together.
  public var applicationRateLimits: [RateLimit] = []
  /// The largest number of concurrent requests that the provider publishes.
  public var concurrency: Int?

  /// True if the provider has a sign-in; otherwise the user passes a token for each account.
  public let hasSignIn: Bool

  /// Creates the profile of a provider with a sign-in in a browser; the addresses are `https` URLs.
  public init(
    title: String, records: String, reads: String, baseURL: String, authorizationURL: String,
    tokenURL: String
  ) {
    (self.title, self.records, self.reads) = (title, records, reads)
    self.baseURL = baseURL
    self.authorizationURL = authorizationURL
    self.tokenURL = tokenURL
    signIn = "browser"
    hasSignIn = true
  }

  /// Creates the profile of a provider without a sign-in: the user passes a token, as with
  /// `appcore login --token-stdin`; `tokenName` is the provider's word for it.
  public init(
    title: String, records: String, reads: String, baseURL: String,
    tokenName: String = "access token"
  ) {
    (self.title, self.records, self.reads) = (title, records, reads)
    self.baseURL = baseURL
    // Nothing is sent to this address; it identifies the server that the tokens belong to.
    authorizationURL = baseURL
    tokenURL = baseURL
    self.tokenName = tokenName
    signIn = tokenName
    hasSignIn = false
  }

  /// True if the user signs in in a browser; otherwise the user passes a token.
  public var signsInWithBrowser: Bool { hasSignIn && registersApp }

  /// Returns the profile in an environment; a provider without a sandbox has the same in both.
  public func of(_ environment: ProviderEnvironment) -> ProviderProfile {
    guard environment == .sandbox, let sandbox else { return self }
    var profile = self
    profile.baseURL = sandbox.baseURL
    profile.authorizationURL = sandbox.authorizationURL ?? authorizationURL
    profile.tokenURL = sandbox.tokenURL ?? tokenURL
    profile.steps = sandboxSteps
    // Vendors allow http for `localhost` alone, and for their sandboxes alone.
    profile.needsRedirectPage = false
    profile.redirectURI = nil
    profile.redirectHost = needsRedirectPage ? .localhost : redirectHost
    return profile
  }
}

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
