import Authentication
public import Foundation
import Models
import Networking
public import Providers
import Sync
import SystemSupport

/// A loader of the configuration: environment variables override the file, and the file overrides
/// the defaults.
public struct ConfigurationLoader: Sendable {
  /// The environment variables that are read, each with the key in the file that it overrides.
  public static let environmentKeys = [
    "APPCORE_ACCOUNT": "defaultAccount",
    "APPCORE_CLIENT_ID": "accounts.<default>.clientID",
    "APPCORE_CLIENT_SECRET_FILE": "accounts.<default>.clientSecretFile",
    "APPCORE_CONFIG": "(the file itself)",
    "APPCORE_DATABASE": "database",
    "APPCORE_PROVIDER": "provider",
  ]

  /// The providers that need no description: the built-in ones and the front end's own.
  public var providers: [any Provider] { CoreConfiguration.coded(with: ownProviders) }

  let environment: [String: String]
  private let ownProviders: [any Provider]

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - environment: the environment variables that are read.
  ///   - providers: the front end's own providers, which become part of the configuration.
  public init(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    providers: [any Provider] = []
  ) {
    self.environment = environment
    ownProviders = providers
  }

  /// Loads the configuration.
  ///
  /// - Parameter path: the file; `nil` takes `$APPCORE_CONFIG`, or else the default path, where the
  ///   file may be absent.
  /// - Throws: ``ConfigurationError``.
  public func load(path: String? = nil) throws -> CoreConfiguration {
    let file = filePath(path)
    let yaml = try text(of: file, isNamed: isNamed(path))
    let added = try AccountFolder(besideConfiguration: file).sections(home: home)
    var configuration = try load(yaml: yaml ?? "", source: file, added: added)
    configuration.isFileMissing = yaml == nil
    return configuration
  }

  /// Returns the path of the configuration file: the given one, `$APPCORE_CONFIG`, or else the
  /// default path.
  public func filePath(_ path: String? = nil) -> String {
    path ?? environment["APPCORE_CONFIG"]
      ?? Directories(environment: environment).configuration + "/config.yaml"
  }

  func isNamed(_ path: String?) -> Bool { (path ?? environment["APPCORE_CONFIG"]) != nil }

  var home: String { Directories.home(environment) }

  /// Loads the configuration from the text of a file; `source` names it in errors.
  ///
  /// - Parameter added: the accounts that have a file of their own, by name.
  func load(
    yaml: String, source: String, added: [String: ConfigurationNode] = [:]
  ) throws -> CoreConfiguration {
    try CoreConfiguration.check(ownProviders)
    var file = ConfigurationFile(known: providers.map(\.name))
    try file.read(try ConfigurationNode(yaml: yaml, source: source, home: home))
    try file.add(added)
    var configuration = try configuration(from: file)
    configuration.file = source
    return configuration
  }

  private func configuration(from file: ConfigurationFile) throws -> CoreConfiguration {
    var configuration = CoreConfiguration()
    configuration.sessions = file.sessions
    configuration.secretStore = file.secretStore ?? .keyring()
    configuration.maximumDeletedPercent =
      file.maximumDeletedPercent ?? configuration.maximumDeletedPercent
    configuration.databasePath =
      environment["APPCORE_DATABASE"].map {
        ConfigurationNode.expand($0, Directories.home(environment))
      } ?? file.databasePath
    guard configuration.databasePath?.hasPrefix("/") ?? true else {
      throw ConfigurationError(source: "APPCORE_DATABASE", problem: "expected an absolute path")
    }
    configuration.describedProviders = file.describedProviders
    configuration.providers = ownProviders
    configuration.defaultAccount = try defaultAccount(file)
    configuration.defaultAccountSource =
      environment["APPCORE_ACCOUNT"].map { _ in .environment("APPCORE_ACCOUNT") }
      ?? file.defaultAccount.map { .file($0.node.source, line: $0.node.line) }
    configuration.defaultProvider =
      environment["APPCORE_PROVIDER"] ?? file.provider?.value ?? configuration.defaultProvider
    let accounts = file.allAccounts(default: configuration.defaultAccount)
    try SharedLogins(
      accounts, added: Set(file.addedAccounts.keys), defaultProvider: configuration.defaultProvider
    ).check()
    if accounts[configuration.defaultAccount] == nil {
      configuration.choices = accounts.keys.sorted()
    }
    let defaultLogin =
      accounts[configuration.defaultAccount]?.login?.value ?? configuration.defaultAccount
    for (name, section) in accounts {
      // Client and servers are those of the login.
      let owner = section.login.flatMap { accounts[$0.value] } ?? section
      let provider = section.provider ?? section.login.flatMap { accounts[$0.value]?.provider }
      configuration.accounts[name] = try account(
        name, section, provider: provider?.value ?? configuration.defaultProvider,
        environment: owner.environment ?? .production, in: file,
        client: name == defaultLogin ? environment : [:])
    }
    return configuration
  }

  /// Returns the configuration of an account.
  ///
  /// - Parameter client: the environment variables about its client, which belongs to the login.
  private func account(
    _ name: String, _ section: AccountSection, provider: String,
    environment: ProviderEnvironment, in file: ConfigurationFile, client: [String: String]
  ) throws -> AccountConfiguration {
    var account = AccountConfiguration(provider: provider)
    account.login = section.login?.value
    let described = file.describedProviders[provider]
    guard described != nil || file.known.contains(provider) else {
      throw unknownProvider(provider, of: section, in: file)
    }
    guard section.tenantID != nil || described?.needsTenant != true else {
      throw ConfigurationError(
        source: "accounts.\(name)",
        problem: "tenantID is missing; the description of '\(provider)' uses it")
    }
    account.clientID = client["APPCORE_CLIENT_ID"] ?? section.clientID
    account.clientSecretFile = client["APPCORE_CLIENT_SECRET_FILE"] ?? section.clientSecretFile
    account.clientAuthentication = section.clientAuthentication ?? described?.clientAuthentication
    account.scopes = section.scopes
    account.resourceIndicators = section.resourceIndicators ?? []
    account.audience = section.audience
    account.redirectURI = section.redirectURI
    account.redirectHost = section.redirectHost
    account.redirectPort = section.redirectPort ?? 0
    account.tenantID = section.tenantID?.value
    account.timeZone = section.timeZone
    account.endpoints = file.providers[provider] ?? ProviderEndpoints()
    account.environment = environment
    guard
      environment == .production
        || providers.contains(where: { $0.name == provider && $0.profile.sandbox != nil })
    else {
      throw ConfigurationError(
        source: "accounts.\(name).environment",
        problem: "\(provider) has no sandbox; remove this key")
    }
    return account
  }

  /// Returns the default account: the one that is named, or else the only one of the file, or
  /// `default`.
  private func defaultAccount(_ file: ConfigurationFile) throws -> String {
    let names = file.accounts.keys.sorted()
    let variable = environment["APPCORE_ACCOUNT"]
    guard let name = variable ?? file.defaultAccount?.value else {
      return names.count == 1 ? names[0] : "default"
    }
    guard Account.isValid(name: name), names.isEmpty || file.hasAccount(name) else {
      let available = (names + file.addedAccounts.keys.sorted()).joined(separator: ", ")
      let problem =
        "unknown account '\(name)'" + (available.isEmpty ? "" : "; available: " + available)
      throw variable == nil
        ? file.defaultAccount?.node.error(problem)
          ?? ConfigurationError(source: "defaultAccount", problem: problem)
        : ConfigurationError(source: "APPCORE_ACCOUNT", problem: problem)
    }
    return name
  }

  /// Returns the error for an unknown provider, at the place that names it.
  private func unknownProvider(
    _ name: String, of account: AccountSection, in file: ConfigurationFile
  ) -> ConfigurationError {
    let problem = CoreConfiguration.unknownProvider(
      name, available: file.known + file.describedProviders.keys.sorted())
    if let place = account.provider { return place.node.error(problem) }
    guard environment["APPCORE_PROVIDER"] == nil, let place = file.provider else {
      return ConfigurationError(source: "APPCORE_PROVIDER", problem: problem)
    }
    return place.node.error(problem)
  }
}
