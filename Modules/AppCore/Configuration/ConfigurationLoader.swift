import Authentication
public import Foundation
import Networking
public import Providers
import Sync

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

  let environment: [String: String]
  private let providers: [any Provider]

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
    self.providers = providers
  }

  /// Loads the configuration.
  ///
  /// - Parameter path: the file; `nil` takes `$APPCORE_CONFIG`, or else the default path, where the
  ///   file may be absent.
  /// - Throws: ``ConfigurationError``.
  public func load(path: String? = nil) throws -> CoreConfiguration {
    let file = filePath(path)
    guard let yaml = try text(of: file, isNamed: isNamed(path)) else {
      var configuration = try load(yaml: "", source: file)
      configuration.missingFile = file
      return configuration
    }
    return try load(yaml: yaml, source: file)
  }

  /// Returns the path of the configuration file: the given one, `$APPCORE_CONFIG`, or else the
  /// default path.
  public func filePath(_ path: String? = nil) -> String {
    path ?? environment["APPCORE_CONFIG"]
      ?? Directories(environment: environment).configuration + "/config.yaml"
  }

  func isNamed(_ path: String?) -> Bool { (path ?? environment["APPCORE_CONFIG"]) != nil }

  /// Returns the text of the file; `nil` if it does not exist at the default path.
  func text(of file: String, isNamed: Bool) throws -> String? {
    do {
      return try String(contentsOfFile: file, encoding: .utf8)
    } catch {
      let isAbsent = !FileManager.default.fileExists(atPath: file)
      guard isAbsent, !isNamed else {
        throw ConfigurationError(
          source: file, problem: isAbsent ? "there is no such file" : "the file cannot be read")
      }
      return nil
    }
  }

  /// Loads the configuration from the text of a file; `source` names it in errors.
  func load(yaml: String, source: String) throws -> CoreConfiguration {
    try ProviderCatalogue.check(providers)
    var file = ConfigurationFile(known: ProviderCatalogue.names(with: providers))
    try file.read(try ConfigurationNode(yaml: yaml, source: source))
    return try configuration(from: file)
  }

  private func configuration(from file: ConfigurationFile) throws -> CoreConfiguration {
    var configuration = CoreConfiguration()
    configuration.sessions = file.sessions
    configuration.secretStore = file.secretStore ?? .keyring
    configuration.maximumDeletedPercent =
      file.maximumDeletedPercent ?? configuration.maximumDeletedPercent
    configuration.databasePath = environment["APPCORE_DATABASE"] ?? file.databasePath
    guard configuration.databasePath?.hasPrefix("/") ?? true else {
      throw ConfigurationError(source: "APPCORE_DATABASE", problem: "an absolute path is expected")
    }
    configuration.describedProviders = file.describedProviders
    configuration.providers = providers
    configuration.defaultAccount =
      environment["APPCORE_ACCOUNT"] ?? file.defaultAccount ?? "default"
    guard Account.isValid(name: configuration.defaultAccount) else {
      throw ConfigurationError(
        source: environment["APPCORE_ACCOUNT"] == nil ? "defaultAccount" : "APPCORE_ACCOUNT",
        problem: "not an account's name")
    }
    configuration.defaultProvider =
      environment["APPCORE_PROVIDER"] ?? file.provider ?? configuration.defaultProvider
    var accounts = file.accounts
    // The default account exists even without an entry, so that the environment or an option can
    // supply the few values it needs.
    if accounts[configuration.defaultAccount] == nil {
      accounts[configuration.defaultAccount] = AccountSection()
    }
    for (name, entry) in accounts {
      let isDefault = name == configuration.defaultAccount
      var account = AccountConfiguration(provider: entry.provider ?? configuration.defaultProvider)
      let described = file.describedProviders[account.provider]
      guard described != nil || file.known.contains(account.provider) else {
        throw ConfigurationError(
          source: "accounts.\(name)",
          problem: ProviderCatalogue.absence(
            of: account.provider, among: file.known, described: file.describedProviders.keys))
      }
      guard entry.tenantID != nil || described?.needsTenant != true else {
        throw ConfigurationError(
          source: "accounts.\(name)",
          problem:
            "tenantID is missing; the description of '\(account.provider)' has a place for it")
      }
      account.clientID = (isDefault ? environment["APPCORE_CLIENT_ID"] : nil) ?? entry.clientID
      account.clientSecretFile =
        (isDefault ? environment["APPCORE_CLIENT_SECRET_FILE"] : nil) ?? entry.clientSecretFile
      account.clientAuthentication =
        entry.clientAuthentication ?? described?.clientAuthentication
      account.scopes = entry.scopes
      account.resourceIndicators = entry.resourceIndicators ?? []
      account.audience = entry.audience
      account.redirectPort = entry.redirectPort ?? 0
      account.tenantID = entry.tenantID
      account.endpoints = file.providers[account.provider] ?? ProviderEndpoints()
      configuration.accounts[name] = account
    }
    return configuration
  }
}
