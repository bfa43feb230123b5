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
  public static let environmentKeys: [String: String] = {
    var keys = ["APPCORE_CONFIG": "(the file itself)"]
    for setting in CoreConfiguration.settings {
      if let variable = setting.variable { keys[variable] = setting.name }
    }
    for setting in AccountConfiguration.settings {
      if let variable = setting.variable { keys[variable] = "accounts.<default>.\(setting.name)" }
    }
    return keys
  }()

  /// The providers that a configuration does not have to describe: the built-in ones, the front
  /// end's own, and those whose description ships.
  public var providers: [any Provider] {
    coded + ShippedDescriptions.providers(besides: coded.map(\.name))
  }

  /// The providers that have code.
  private var coded: [any Provider] { CoreConfiguration.coded(with: ownProviders) }

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
  /// - Parameters:
  ///   - path: the file; `nil` takes `$APPCORE_CONFIG`, or else the default path, where the file
  ///     may be absent.
  ///   - mayBeAbsent: true if a file that is named may be absent too, because
  ///     ``ApplicationCore/addAccount(_:keepsLoginsInFile:)`` is to create it.
  /// - Throws: ``ConfigurationError``.
  public func load(path: String? = nil, mayBeAbsent: Bool = false) throws -> CoreConfiguration {
    let file = filePath(path)
    let yaml = try text(of: file, isNamed: isNamed(path) && !mayBeAbsent)
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
    var file = ConfigurationFile(known: coded.map(\.name))
    try file.read(try ConfigurationNode(yaml: yaml, source: source, home: home))
    try file.add(added)
    var configuration = try configuration(from: file)
    configuration.file = source
    return configuration
  }

  private func configuration(from file: ConfigurationFile) throws -> CoreConfiguration {
    var configuration = file.core
    for setting in CoreConfiguration.settings {
      setting.apply(environment, to: &configuration)
    }
    configuration.databasePath = configuration.databasePath.map {
      ConfigurationNode.expand($0, home)
    }
    guard configuration.databasePath?.hasPrefix("/") ?? true else {
      throw ConfigurationError(source: "APPCORE_DATABASE", problem: "expected an absolute path")
    }
    configuration.providers = ownProviders
    configuration.usesAllAccounts = configuration.defaultAccount == "all" && !file.hasAccount("all")
    configuration.defaultAccount = try defaultAccount(file, isAll: configuration.usesAllAccounts)
    configuration.defaultAccountSource =
      environment["APPCORE_ACCOUNT"].map { _ in .environment("APPCORE_ACCOUNT") }
      ?? file.place("defaultAccount").map { .file($0.source, line: $0.line) }
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
      let owner = section.login.flatMap { accounts[$0.value] }
      var account = section.values
      account.provider =
        (section.provider ?? owner?.provider)?.value ?? configuration.defaultProvider
      try check(account, name, section, in: file)
      let described = try file.core.described(account.provider)
      account.clientAuthentication = account.clientAuthentication ?? described?.clientAuthentication
      let stated = (owner ?? section).values
      account.endpoints = file.providers[account.provider] ?? ProviderEndpoints()
      account.environment = stated.environment
      account.baseURL = stated.baseURL ?? account.baseURL
      if account.baseURL == nil, described?.provider.profile.needsAddress == true,
        let site = described?.provider.vendor.site
      {
        throw ConfigurationError(
          source: "accounts.\(name)", problem: "baseURL is missing. \(site)")
      }
      guard
        account.environment == .production
          || coded.contains(where: {
            $0.name == account.provider && $0.profile.sandbox != nil
          })
      else {
        throw ConfigurationError(
          source: "accounts.\(name).environment",
          problem: "\(account.provider) has no sandbox; remove this key")
      }
      if name == defaultLogin {
        for setting in AccountConfiguration.settings {
          setting.apply(environment, to: &account)
        }
      }
      configuration.accounts[name] = account
    }
    return configuration
  }

  /// Requires a provider that exists, and the organisation that its description uses.
  private func check(
    _ account: AccountConfiguration, _ name: String, _ section: AccountSection,
    in file: ConfigurationFile
  ) throws {
    let described =
      file.known.contains(account.provider)
      ? nil : try file.core.described(account.provider)
    guard described != nil || file.known.contains(account.provider) else {
      throw unknownProvider(account.provider, of: section, in: file)
    }
    guard account.tenantID != nil || described?.needsTenant != true else {
      throw ConfigurationError(
        source: "accounts.\(name)",
        problem: "tenantID is missing; the description of '\(account.provider)' uses it")
    }
  }

  /// Returns the default account: the one that is named, or else the only one of the file, or
  /// `default`.
  ///
  /// - Parameter isAll: true if `all` is no name, but stands for every account.
  private func defaultAccount(_ file: ConfigurationFile, isAll: Bool) throws -> String {
    let names = file.accounts.keys.sorted()
    let variable = environment["APPCORE_ACCOUNT"]
    let place = file.place("defaultAccount")
    guard !isAll, let name = variable ?? place.map({ _ in file.core.defaultAccount }) else {
      return names.count == 1 ? names[0] : "default"
    }
    guard Account.isValid(name: name), names.isEmpty || file.hasAccount(name) else {
      let available = (names + file.addedAccounts.keys.sorted()).joined(separator: ", ")
      let problem =
        "unknown account '\(name)'" + (available.isEmpty ? "" : "; available: " + available)
      throw variable == nil
        ? place?.error(problem)
          ?? ConfigurationError(source: "defaultAccount", problem: problem)
        : ConfigurationError(source: "APPCORE_ACCOUNT", problem: problem)
    }
    return name
  }

  private func unknownProvider(
    _ name: String, of account: AccountSection, in file: ConfigurationFile
  ) -> ConfigurationError {
    let described = Set(file.core.describedProviders.keys).union(ShippedDescriptions.names)
    let problem = CoreConfiguration.unknownProvider(
      name, available: file.known + described.subtracting(file.known).sorted())
    if let place = account.provider { return place.node.error(problem) }
    guard environment["APPCORE_PROVIDER"] == nil, let place = file.place("provider") else {
      return ConfigurationError(source: "APPCORE_PROVIDER", problem: problem)
    }
    return place.error(problem)
  }

  func text(of file: String, isNamed: Bool) throws -> String? {
    do {
      return try String(contentsOfFile: file, encoding: .utf8)
    } catch {
      guard !FileManager.default.fileExists(atPath: file) else {
        throw ConfigurationError(source: file, problem: Self.reason(error, of: file))
      }
      guard !isNamed else {
        throw ConfigurationError(
          source: file, problem: "file not found",
          hint: Hint("Create it with", ["setup", "--config", file]))
      }
      return nil
    }
  }

  /// Returns the reason why the text of a file cannot be read.
  package static func reason(_ error: any Error, of file: String) -> String {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) else {
      return "file not found"
    }
    if isFolder.boolValue { return "this is a folder, not a file" }
    if FileManager.default.contents(atPath: file) != nil { return "the file is not text in UTF-8" }
    return "cannot read the file" + (SystemErrorText.of(error).map { ": \($0)" } ?? "")
  }
}
