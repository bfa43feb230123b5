public import Networking
public import Providers
import Sync

/// The complete configuration, with every value validated and every default filled in.
public struct CoreConfiguration: Sendable {
  /// The accounts, by name.
  public var accounts: [String: AccountConfiguration] = [:]
  /// The account that is used if none is named.
  public var defaultAccount = "default"
  /// The provider of accounts that name none.
  public var defaultProvider = "xero"
  /// The configuration of each module's session, by the module's name.
  public var sessions: [String: SessionConfiguration] = [:]
  /// The path of the database file; `nil` means the default path.
  public var databasePath: String?
  /// The largest percentage of the stored records that one sync may delete because a complete list
  /// no longer contains them.
  public var maximumDeletedPercent = SyncOptions.defaultMaximumDeletedPercent
  /// The store for logins.
  public var secretStore = SecretStoreChoice.keyring()
  /// The front end's own providers, which accounts can name like the built-in ones.
  public var providers: [any Provider] = []

  /// The path of the configuration file; `nil` if a front end created the configuration.
  public var file: String?
  /// True if there is no file at that path, so that every value is a default.
  public var isFileMissing = false

  /// The place that names the default account; `nil` if none does.
  var defaultAccountSource: ConfigurationValue.Source?
  /// The accounts among which the user has to choose, because none of them is the default; empty if
  /// there is a default account.
  var choices: [String] = []
  /// The providers that are described in the configuration, by name.
  var describedProviders: [String: DescribedProvider] = [:]

  /// Creates a configuration with no account.
  public init() {}

  /// Returns the session configuration of a module; a module without an entry gets the defaults.
  public func session(_ module: String) -> SessionConfiguration {
    sessions[module] ?? Self.defaultSession(module)
  }

  /// Returns the session configuration of a module without an entry.
  static func defaultSession(_ module: String) -> SessionConfiguration {
    var configuration = SessionConfiguration()
    switch module {
    case "auth":
      configuration.timeout.connect = .seconds(5)
      configuration.timeout.request = .seconds(20)
      // A redirect must never pass credentials on, and the responses of a token endpoint are small.
      configuration.redirects = .none
      configuration.maximumResponseSize = 1 << 20
    case "documents":
      configuration.timeout.request = .seconds(300)
    default: break
    }
    return configuration
  }
}
