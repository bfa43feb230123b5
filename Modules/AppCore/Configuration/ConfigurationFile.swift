import Authentication
import Models
import Networking
import SystemSupport

struct ConfigurationFile {
  /// The values that no other part of the file decides.
  private(set) var core = CoreConfiguration()
  private(set) var accounts: [String: AccountSection] = [:]
  private(set) var addedAccounts: [String: AccountSection] = [:]
  private(set) var providers: [String: ProviderEndpoints] = [:]
  let known: [String]
  private var places: [String: ConfigurationNode] = [:]

  private static let settings: [Setting<ConfigurationFile>] = {
    let sections: [Setting<ConfigurationFile>] = [
      Setting(section: "secretStore") { $0.core.secretStore = try SecretStoreChoice($1) },
      Setting(section: "accounts") { file, node in
        try node.readEntries { try file.readAccount($0, $1) }
      },
      Setting(section: "sessions") { file, node in
        try node.readEntries { try file.readSession($0, $1) }
      },
      Setting(section: "providers") { file, node in
        try node.readEntries { try file.readProvider($0, $1) }
      },
    ]
    return CoreConfiguration.settings.map { $0.of(\ConfigurationFile.core) } + sections
  }()

  init(known: [String]) { self.known = known }

  mutating func read(_ root: ConfigurationNode) throws {
    places = Dictionary(uniqueKeysWithValues: try root.read(Self.settings, into: &self))
  }

  private mutating func readAccount(_ name: String, _ node: ConfigurationNode) throws {
    guard Account.isValid(name: name) else {
      throw node.error(ConfigurationError.nameExpectation)
    }
    accounts[name] = try AccountSection(node)
  }

  private mutating func readSession(_ name: String, _ node: ConfigurationNode) throws {
    var session = CoreConfiguration.defaultSession(name)
    let stated = try node.read(SessionConfiguration.settings, into: &session)
    // A redirect must never send the credentials for a token endpoint to another server.
    guard name != "auth" || session.redirects == .none else {
      throw node.error("this session follows no redirects")
    }
    core.sessions[name] = session
    core.statedSessionKeys[name] = Set(stated.map(\.0))
  }

  private mutating func readProvider(_ name: String, _ node: ConfigurationNode) throws {
    // A user's description goes before one that ships.
    let isShipped = ShippedDescriptions.names.contains(name) && node.child("kind") == nil
    if known.contains(name) || isShipped {
      providers[name] = try ProviderEndpoints(node)
    } else {
      core.describedProviders[name] = try DescribedProvider(name: name, node, known: known)
    }
  }

  mutating func add(_ added: [String: ConfigurationNode]) throws {
    for (name, node) in added.sorted(by: { $0.key < $1.key }) {
      if let other = accounts[name]?.node {
        throw node.error(
          "this account is also in \(other.source)" + (other.line.map { ", line \($0)" } ?? ""))
      }
      addedAccounts[name] = try AccountSection(node)
    }
  }

  func place(_ key: String) -> ConfigurationNode? { places[key] }

  func hasAccount(_ name: String) -> Bool { accounts[name] != nil || addedAccounts[name] != nil }

  /// Returns the accounts of the file and those that have a file of their own.
  ///
  /// Without any entry in the file itself, the environment or an option can supply the few values
  /// that an account needs.
  func allAccounts(default name: String) -> [String: AccountSection] {
    var accounts = accounts.merging(addedAccounts) { own, _ in own }
    if self.accounts.isEmpty {
      accounts[addedAccounts[name] == nil ? name : "default"] = AccountSection()
    }
    return accounts
  }
}

/// The accounts that use another account's login, checked before anything depends on them.
struct SharedLogins {
  private let accounts: [String: AccountSection]
  private let added: Set<String>
  private let defaultProvider: String

  init(_ accounts: [String: AccountSection], added: Set<String>, defaultProvider: String) {
    self.accounts = accounts
    self.added = added
    self.defaultProvider = defaultProvider
  }

  /// Checks that each names a login that exists, and an organisation of its own.
  ///
  /// - Throws: ``ConfigurationError`` at the key to correct.
  func check() throws {
    var owners: [[String]: String] = [:]
    // Of two accounts, the one to correct is one that appcore added.
    let names = accounts.keys.sorted { first, second in
      let isAdded = added.contains(first)
      return isAdded == added.contains(second) ? first < second : !isAdded
    }
    for name in names {
      guard let account = accounts[name] else { continue }
      if let login = account.login { try check(account, name, login) }
      guard let tenant = account.tenantID else { continue }
      let owner = [account.login?.value ?? name, tenant.value]
      if let other = owners[owner], other != name, account.login != nil {
        throw tenant.node.error(
          "account '\(other)' has this organisation already",
          hint: added.contains(name)
            ? Hint("Delete this file: rm \(tenant.node.source.shellWord)") : nil)
      }
      owners[owner] = name
    }
  }

  private func check(
    _ account: AccountSection, _ name: String, _ login: ConfigurationNode.Text
  ) throws {
    guard login.value != name else {
      throw login.node.error("an account cannot share its own login; remove this key")
    }
    guard let owner = accounts[login.value] else {
      let others = accounts.filter { $0.value.login == nil && $0.key != name }.keys.sorted()
      let meant = NearestWord.to(login.value, among: others)
      throw login.node.error(
        "unknown account '\(login.value)'"
          + (meant.map { "; did you mean '\($0)'?" }
            ?? (others.isEmpty ? "" : "; available: " + others.joined(separator: ", "))))
    }
    if let next = owner.login {
      throw login.node.error(
        "'\(login.value)' uses the login of '\(next.value)'; write login: \(next.value)")
    }
    if let key = account.loginKey {
      throw key.error(
        "this belongs to the login of '\(login.value)', which the account uses; remove it here")
    }
    let provider = owner.provider?.value ?? defaultProvider
    if let own = account.provider, own.value != provider {
      throw own.node.error("the login of '\(login.value)' is one of \(provider)")
    }
    guard account.tenantID != nil else {
      throw (account.node ?? login.node).error(
        "tenantID is missing; an account that shares a login names its organisation",
        hint: Hint("List them with", ["organisations"]))
    }
  }
}
