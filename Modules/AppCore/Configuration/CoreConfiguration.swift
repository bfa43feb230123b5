public import Authentication
public import Networking
public import Providers
import Sync

/// Everything that can be configured, each value valid and with its default filled in.
public struct CoreConfiguration: Sendable {
  /// The accounts, by name.
  public var accounts: [String: AccountConfiguration] = [:]
  /// The account that is meant where none is named.
  public var defaultAccount = "default"
  /// The configuration of each module's session, by the module's name.
  public var sessions: [String: SessionConfiguration] = [:]
  /// The database file; `nil` is the usual place.
  public var databasePath: String?
  /// How much of what is stored, in per cent, one sync may delete because a complete list no longer
  /// holds it.
  public var maximumDeletedPercent = 20
  /// Where logins are kept.
  public var secretStore = SecretStoreChoice.keyring
  /// Providers that the front end brings along, which accounts can name beside the built-in ones.
  public var providers: [any Provider] = []

  /// The providers that are described in the configuration, by name.
  var describedProviders: [String: DescribedProvider] = [:]

  /// Creates a configuration with no account.
  public init() {}

  /// Whether accounts of a provider can sign in by a browser or the like; else they are handed a token.
  public func hasSignIn(_ provider: String) -> Bool {
    (try? ProviderCatalogue.provider(provider, in: self))?.traits.signsIn ?? true
  }

  /// The session configuration of a module; one without an entry gets the defaults.
  public func session(_ module: String) -> SessionConfiguration {
    sessions[module] ?? Self.defaultSession(module)
  }

  /// What a module's session is without an entry in the configuration.
  static func defaultSession(_ module: String) -> SessionConfiguration {
    var configuration = SessionConfiguration()
    switch module {
    case "auth":
      configuration.timeout.connect = .seconds(5)
      configuration.timeout.request = .seconds(20)
      // The token endpoint must never send credentials on, and answers are small.
      configuration.redirects = .none
      configuration.maximumResponseSize = 1 << 20
    case "documents":
      configuration.timeout.request = .seconds(300)
    default: break
    }
    return configuration
  }
}

/// One account as it is configured.
public struct AccountConfiguration: Sendable, Equatable {
  /// The provider's name, such as `xero`.
  public var provider: String
  /// The client identifier that the provider gave.
  public var clientID: String?
  /// A file that holds the client secret, for a confidential client.
  public var clientSecretFile: String?
  /// How the secret is shown to the token endpoint; `nil` is the provider's way.
  public var clientAuthentication: OAuthClient.Authentication?
  /// What is asked for at sign-in; `nil` is the provider's usual set.
  public var scopes: [String]?
  /// The resources that tokens are asked for (RFC 8707).
  public var resources: [String] = []
  /// The API that tokens are asked for, where the server wants it so.
  public var audience: String?
  /// The loopback port of the redirect URI; 0 takes a free one.
  public var redirectPort = 0
  /// The organisation, for a login that reaches several.
  public var tenantID: String?
  /// The provider's addresses, where they differ from the built-in ones.
  public var endpoints = ProviderEndpoints()

  /// Creates an account of a provider.
  public init(provider: String) {
    self.provider = provider
  }
}

/// Addresses of a provider that replace built-in ones.
public struct ProviderEndpoints: Sendable, Equatable {
  /// Where the API is.
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

  /// Creates a set without any.
  public init() {}
}
