public import Networking
public import Providers
import Sync

/// Everything that can be configured, each value valid and with its default filled in.
public struct CoreConfiguration: Sendable {
  /// The accounts, by name.
  public var accounts: [String: AccountConfiguration] = [:]
  /// The account that is meant where none is named.
  public var defaultAccount = "default"
  /// The provider of accounts that name none.
  public var defaultProvider = "xero"
  /// The configuration of each module's session, by the module's name.
  public var sessions: [String: SessionConfiguration] = [:]
  /// The database file; `nil` is the usual place.
  public var databasePath: String?
  /// The largest percentage of what is stored that one sync may delete because a complete list no
  /// longer holds it.
  public var maximumDeletedPercent = SyncOptions.defaultMaximumDeletedPercent
  /// Where logins are kept.
  public var secretStore = SecretStoreChoice.keyring
  /// Providers that the front end brings along, which accounts can name beside the built-in ones.
  public var providers: [any Provider] = []

  /// The providers that are described in the configuration, by name.
  var describedProviders: [String: DescribedProvider] = [:]

  /// Creates a configuration with no account.
  public init() {}

  /// Returns `true` if the accounts of a provider can sign in; the others take a token.
  public func hasSignIn(_ provider: String) -> Bool {
    (try? ProviderCatalogue.provider(provider, in: self))?.traits.hasSignIn ?? true
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
