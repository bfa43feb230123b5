public import Authentication
public import Providers

/// The configuration of one account.
public struct AccountConfiguration: Sendable, Equatable {
  /// The provider's name, such as `xero`.
  public var provider: String
  /// The account whose login this one uses; `nil` for an account with a login of its own.
  ///
  /// Its ``tenantID`` then names its organisation. Client, scopes and tokens are those of the
  /// login.
  public var login: String?
  /// The client identifier that the provider issued.
  public var clientID: String?
  /// A file that holds the client secret, for a confidential client.
  public var clientSecretFile: String?
  /// The method with which the client authenticates to the token endpoint; `nil` takes the
  /// provider's.
  public var clientAuthentication: OAuthClient.Authentication?
  /// The scopes that a sign-in requests; `nil` takes the provider's usual set.
  public var scopes: [String]?
  /// The addresses of the APIs that tokens are for, as absolute URLs (Resource Indicators, RFC
  /// 8707).
  public var resourceIndicators: [String] = []
  /// The API that tokens are requested for, sent as `audience` to servers that need it.
  public var audience: String?
  /// The https page on which a sign-in in the browser ends, whose address the user pastes; `nil`
  /// takes the provider's, or else a port of this machine.
  public var redirectURI: String?
  /// The host of a redirect URI on this machine; `nil` takes the provider's.
  public var redirectHost: OAuthClient.LoopbackHost?
  /// The loopback port of the redirect URI; 0 takes a free one.
  public var redirectPort = 0
  /// The provider's servers: those with real books, or its sandbox.
  public var environment: ProviderEnvironment {
    get { endpoints.environment }
    set { endpoints.environment = newValue }
  }
  /// The organisation, for a login that can access several.
  public var tenantID: String?
  /// The time zone in which the account's instants become days, a name of the IANA database such as
  /// `Europe/Berlin`; `nil` takes the one that the provider states.
  public var timeZone: String?
  /// The provider's addresses that replace the built-in ones.
  public var endpoints = ProviderEndpoints()

  /// Creates an account of a provider.
  public init(provider: String) {
    self.provider = provider
  }
}
