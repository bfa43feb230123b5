import AppCore
import ArgumentParser
import Foundation
import Storage

/// The values that a shell completes from the configuration and the database.
///
/// It reads both as they are, asks neither keyring nor network, and finds nothing where it fails:
/// a shell has no place for an error.
struct ConfiguredValues {
  /// The largest number of values that a shell is given.
  static let limit = 200

  private let configuration: CoreConfiguration
  private let database: String
  private let account: String

  /// Creates the values for a command line that is being typed; `nil` without a valid
  /// configuration.
  init?(
    _ words: [String], environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    let loader = ConfigurationLoader(environment: environment)
    let file = words.value(of: "--config")
    guard let configuration = try? loader.load(path: file) else { return nil }
    self.configuration = configuration
    database =
      configuration.databasePath ?? Directories(environment: environment).databasePath
    account = words.value(of: "--account") ?? configuration.defaultAccount
  }

  /// The names of the accounts.
  var accounts: [String] { configuration.accounts.keys.sorted() }

  /// The names of the providers.
  var providers: [String] { configuration.providerNames }

  /// Returns the numbers of the account's invoices that start with a text.
  func invoiceNumbers(startingWith prefix: String) async -> [String] {
    guard let database = try? await LocalDatabase.openUnchanged(at: database) else { return [] }
    let numbers = try? await database.invoiceNumbers(
      startingWith: prefix, account: account, limit: Self.limit)
    try? await database.close()
    return (numbers ?? []).filter { number in
      !number.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
  }
}

extension ConfiguredValues {
  static let accounts = CompletionKind.custom { words, _, _ in
    ConfiguredValues(words)?.accounts ?? []
  }

  /// Several accounts, separated by commas.
  static let accountLists = CompletionKind.custom { words, _, prefix in
    ListCompletion.completions(of: prefix, ConfiguredValues(words)?.accounts ?? [])
  }

  static let providers = CompletionKind.custom { words, _, _ in
    ConfiguredValues(words)?.providers ?? CoreConfiguration().providerNames
  }

  static let invoiceNumbers = CompletionKind.custom { words, _, prefix in
    await ConfiguredValues(words)?.invoiceNumbers(startingWith: prefix) ?? []
  }
}
