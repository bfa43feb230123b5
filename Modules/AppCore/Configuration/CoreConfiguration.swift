public import Networking
public import Providers
public import Sync

/// The complete configuration, with every value validated and every default filled in.
public struct CoreConfiguration: Sendable {
  /// The accounts, by name.
  public var accounts: [String: AccountConfiguration] = [:]
  /// The account that is used if none is named.
  public var defaultAccount = "default"
  /// True if a command that takes several accounts uses all of them if none is named:
  /// `defaultAccount: all`.
  public var usesAllAccounts = false
  /// The provider of accounts that name none.
  public var defaultProvider = "xero"
  /// The configuration of each module's session, by the module's name.
  public var sessions: [String: SessionConfiguration] = [:]
  /// The keys that the user's file states for each module's session.
  var statedSessionKeys: [String: Set<String>] = [:]
  /// The path of the database file; `nil` means the default path.
  public var databasePath: String?
  /// The user's settings for syncs.
  public var sync = SyncSettings()
  /// The age from which stored records are old: the time since the last complete sync; `nil` if
  /// they never are.
  public var maximumAge: Duration? = .seconds(7 * 86_400)
  /// The user's settings for the files of invoices.
  public var documents = DocumentSettings()
  /// The store for logins.
  public var secretStore = SecretStoreChoice.keyring()
  /// The front end's own providers, which accounts can name like the built-in ones.
  public var providers: [any Provider] = []

  /// The path of the configuration file; `nil` if a front end created the configuration.
  public var file: String?
  /// True if there is no file at that path, so that every value is a default.
  public var isFileMissing = false

  var defaultAccountSource: ConfigurationValue.Source?
  /// The accounts among which the user has to choose, because none of them is the default; empty if
  /// there is a default account.
  var choices: [String] = []
  var describedProviders: [String: DescribedProvider] = [:]

  /// Creates a configuration with no account.
  public init() {}

  /// Returns the session configuration of a module; a module without an entry gets the defaults.
  public func session(_ module: String) -> SessionConfiguration {
    sessions[module] ?? Self.defaultSession(module)
  }

  /// Returns the configuration of a module's session: what the user's file states, and else the
  /// module's own values.
  func session(_ module: String, defaults: SessionConfiguration?) -> SessionConfiguration {
    guard var session = defaults, let configured = sessions[module] else {
      return defaults ?? self.session(module)
    }
    guard let stated = statedSessionKeys[module] else { return configured }
    for setting in SessionConfiguration.settings where stated.contains(setting.name) {
      setting.copy(configured, &session)
    }
    return session
  }

  /// Returns the session configuration of a front end's module, from a JSON object with the keys of
  /// `sessions.MODULE` in the configuration file; a key that is absent or `null` has its default.
  ///
  /// - Throws: ``ConfigurationError`` for an unknown key, and for a value that the key cannot have.
  package static func session(_ module: String, json: String) throws -> SessionConfiguration {
    var session = defaultSession(module)
    // JSON is YAML as well.
    try ConfigurationNode(yaml: json, source: module).withoutNulls
      .read(SessionConfiguration.settings, into: &session)
    return session
  }
}

extension CoreConfiguration {
  static let settings: [Setting<CoreConfiguration>] = [
    Setting<CoreConfiguration>(
      "provider", \.defaultProvider, .text, "Provider of accounts that name none",
      "It is one that `appcore setup` lists, or one that you describe under `providers`."
    )
    .overridden(by: "APPCORE_PROVIDER") { $0.defaultProvider = $1 },
    Setting<CoreConfiguration>(
      "defaultAccount", \.defaultAccount, .text, "Account to use without `--account`",
      "Without the key, it is the only account, or the one named `default`. With `all`, commands "
        + "that take several accounts use all of them."
    ).overridden(by: "APPCORE_ACCOUNT") { $0.defaultAccount = $1 },
    Setting<CoreConfiguration>(
      "database", \.databasePath, .absolutePath,
      "Absolute path of the database file; `~/` is your home folder",
      default: .documented("$XDG_DATA_HOME/appcore/appcore.sqlite"),
      example: "/srv/invoices/appcore.sqlite"
    ).overridden(by: "APPCORE_DATABASE") { $0.databasePath = $1 },
    Setting(
      "sync.maximumDeletedPercent", \.sync.maximumDeletedPercent, .integer(0...100),
      "Largest percentage of the stored records that one run may delete because the server's "
        + "complete list lacks them",
      "A run above it deletes nothing and fails. Up to five records are always allowed, unless the "
        + "value is 0."),
    Setting(
      "sync.maximumAge", \.maximumAge, .age,
      "Time after the last complete sync from which stored records are old, such as `36h` or `7d`, "
        + "or `none`",
      "Lists of old records say so, and `appcore status` ends with 1."),
    Setting(
      "documents.sync", \.documents.sync, .flag,
      "True to fetch the files of invoices with `sync all`, after the lists"),
    Setting(
      "documents.folder", \.documents.folder, .absolutePath,
      "Absolute path of a folder in which people find the files; `~/` is your home folder",
      "They are links to the stored files where possible. Nothing of yours there is replaced or "
        + "removed.", default: .documented("none"), example: "~/Invoices"),
    Setting(
      "documents.name", \.documents.name, .documentName,
      "Pattern of the names in that folder; see `appcore documents export --help`",
      "A name that was chosen stays."),
  ]

  /// The words about every key, by section.
  package static var settingSections: [(path: String, settings: [SettingDescription])] {
    let session = SessionConfiguration()
    return [
      ("", settings.map { $0.description(of: Self()) } + SecretStoreChoice.settingDescriptions),
      (
        "accounts.NAME",
        AccountConfiguration.settings.map {
          $0.description(of: AccountConfiguration(provider: ""), in: "accounts.NAME.")
        }
      ),
      (
        "sessions.MODULE",
        SessionConfiguration.settings.map { $0.description(of: session, in: "sessions.MODULE.") }
      ),
      (
        "providers.NAME",
        ProviderEndpoints.settings.map {
          $0.description(of: ProviderEndpoints(), in: "providers.NAME.")
        }
      ),
    ]
  }

  /// Returns the accounts of a group, by name.
  ///
  /// - Throws: ``ConfigurationError`` if no account is in it.
  public func accounts(inGroup group: String) throws -> [String] {
    let names = accounts.filter { $0.value.groups.contains(group) }.keys.sorted()
    guard names.isEmpty else { return names }
    let known = Set(accounts.values.flatMap(\.groups)).sorted().map { "@" + $0 }
    throw ConfigurationError(
      source: file ?? "accounts",
      problem: "no account is in the group '\(group)'"
        + (known.isEmpty ? "" : "; available: " + known.joined(separator: ", ")),
      fix: "Put groups: [\(group)] into the account, in this file or in its own.")
  }

  /// Returns the account whose login an account uses: itself, unless it shares another's.
  public func login(of account: String) -> String { accounts[account]?.login ?? account }

  /// Returns the accounts that use the login of an account, by name; the account itself is one of
  /// them.
  public func accounts(usingLoginOf account: String) -> [String] {
    let login = login(of: account)
    return accounts.keys.filter { self.login(of: $0) == login }.sorted()
  }

  /// The accounts whose login other accounts use.
  var sharedLogins: Set<String> { Set(accounts.values.compactMap(\.login)) }

  /// The accounts that have a login of their own, by name.
  public var logins: [String] {
    accounts.filter { $0.value.login == nil }.keys.sorted()
  }

  /// The accounts that have a login whose provider lists the organisations that it reaches, by
  /// name.
  public var loginsListingOrganisations: [String] {
    logins.filter { accounts[$0].map { listsOrganisations($0.provider) } ?? false }
  }

  /// Checks the accounts of a configuration that a front end created; the loader has checked those
  /// of a file.
  func checkLogins() throws {
    for (name, account) in accounts.sorted(by: { $0.key < $1.key }) {
      guard let login = account.login else { continue }
      func problem(_ text: String) -> ConfigurationError {
        ConfigurationError(source: file ?? "accounts", key: "accounts.\(name)", problem: text)
      }
      guard let owner = accounts[login], owner.login == nil, login != name else {
        throw problem("'\(login)' is not an account with a login of its own")
      }
      guard owner.provider == account.provider else {
        throw problem("the login of '\(login)' is one of \(owner.provider)")
      }
      guard account.tenantID != nil else { throw problem("tenantID is missing") }
    }
  }
}
