import AppCore
import ArgumentParser
import Foundation
import Models
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

  var accounts: [String] { configuration.accounts.keys.sorted() }

  /// The groups of accounts, as `--account` takes them.
  var groups: [String] {
    Set(configuration.accounts.values.flatMap(\.groups)).sorted().map { "@" + $0 }
  }

  var providers: [String] { configuration.providerNames }

  func invoiceNumbers(startingWith prefix: String) async -> [String] {
    guard let database = try? await LocalDatabase.openUnchanged(at: database) else { return [] }
    let numbers = try? await database.invoiceNumbers(
      startingWith: prefix, account: account, limit: Self.limit)
    try? await database.close()
    return numbers ?? []
  }
}

/// A word of a command line as a shell writes and reads it.
enum CompletedWord {
  /// Returns the values that a shell can offer, in the form in which its script reads them.
  ///
  /// A number or a name is whatever a server or a file says. One that would act as an option, or
  /// that a terminal cannot show on one line, is left out.
  static func offered(
    _ values: [String], in shell: CompletionShell? = .requesting
  ) -> [String] {
    let plain = values.filter {
      !$0.hasPrefix("-") && $0.unicodeScalars.allSatisfy(\.isSafeToDisplay)
    }
    guard shell == .zsh else { return plain }
    // zsh takes what follows a colon for a description.
    return plain.map { $0.replacing("\\", with: #"\\"#).replacing(":", with: #"\:"#) }
  }

  /// Returns the text that a word stands for that is being typed, without quoting.
  static func text(of typed: String) -> String {
    if typed.hasPrefix("'") { return String(typed.dropFirst()) }
    var text = ""
    var isQuoted = false
    for character in typed.hasPrefix("\"") ? typed.dropFirst() : typed[...] {
      isQuoted = character == "\\" && !isQuoted
      if !isQuoted { text.append(character) }
    }
    return text
  }
}

extension ConfiguredValues {
  static let accounts = CompletionKind.custom { words, _, _ in
    CompletedWord.offered(ConfiguredValues(words)?.accounts ?? [])
  }

  /// Several accounts and groups, separated by commas.
  static let accountLists = CompletionKind.custom { words, _, prefix in
    let values = ConfiguredValues(words)
    return CompletedWord.offered(
      ListCompletion.completions(of: prefix, (values?.accounts ?? []) + (values?.groups ?? [])))
  }

  static let providers = CompletionKind.custom { words, _, _ in
    CompletedWord.offered(
      ConfiguredValues(words)?.providers ?? CoreConfiguration().providerNames)
  }

  static let invoiceNumbers = CompletionKind.custom { words, _, prefix in
    CompletedWord.offered(
      await ConfiguredValues(words)?.invoiceNumbers(
        startingWith: CompletedWord.text(of: prefix)) ?? [])
  }
}

/// The completion of an option that takes several values separated by commas.
enum ListCompletion {
  static func of(_ values: [String]) -> CompletionKind {
    .custom { _, _, prefix in completions(of: prefix, values) }
  }

  /// Returns the texts that a list can continue as: what is typed, and each value that it lacks.
  static func completions(of typed: String, _ values: [String]) -> [String] {
    let names = typed.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let complete = names.dropLast()
    return values.filter { !complete.contains($0) }.map { value in
      (complete + [value]).joined(separator: ",")
    }
  }
}
