import Authentication
import Networking

/// The values of a configuration file, before defaults and environment variables are applied.
struct ConfigurationFile {
  private enum Key: String, CaseIterable {
    case provider, defaultAccount, database, sync, secretStore, accounts, sessions, providers
  }
  private enum SyncKey: String, CaseIterable { case maximumDeletedPercent }

  var provider: ConfigurationNode.Text?
  var defaultAccount: ConfigurationNode.Text?
  var databasePath: String?
  var secretStore: SecretStoreChoice?
  var maximumDeletedPercent: Int?
  var accounts: [String: AccountSection] = [:]
  /// The accounts that have a file of their own.
  var addedAccounts: [String: AccountSection] = [:]
  var sessions: [String: SessionConfiguration] = [:]
  var providers: [String: ProviderEndpoints] = [:]
  var describedProviders: [String: DescribedProvider] = [:]
  /// The names of the providers that have code.
  let known: [String]

  init(known: [String]) {
    self.known = known
  }

  mutating func read(_ root: ConfigurationNode) throws {
    try root.readKeys(Key.self) { key, value in
      switch key {
      case .provider: provider = try value.locatedText()
      case .defaultAccount: defaultAccount = try value.locatedText()
      case .database: databasePath = try value.absolutePath()
      case .sync:
        try value.readKeys(SyncKey.self) { key, value in
          switch key {
          case .maximumDeletedPercent: maximumDeletedPercent = try value.integer(in: 0...100)
          }
        }
      case .secretStore: secretStore = try SecretStoreChoice(value)
      case .accounts:
        try value.readEntries { name, value in
          guard Account.isValid(name: name) else {
            throw value.error("expected a name of 1 to 64 letters, digits, '.', '_' or '-'")
          }
          accounts[name] = try AccountSection(value)
        }
      case .sessions:
        try value.readEntries { name, value in
          var session = CoreConfiguration.defaultSession(name)
          try session.read(value)
          // A redirect must never send the credentials for a token endpoint to another server.
          guard name != "auth" || session.redirects == .none else {
            throw value.error("this session follows no redirects")
          }
          sessions[name] = session
        }
      case .providers:
        try value.readEntries { name, value in
          if known.contains(name) {
            providers[name] = try ProviderEndpoints(value)
          } else {
            describedProviders[name] = try DescribedProvider(name: name, value, known: known)
          }
        }
      }
    }
  }
}
