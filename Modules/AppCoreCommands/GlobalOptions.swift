import ArgumentParser
import Foundation

/// Options that every command has.
struct GlobalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Read this configuration file.", valueName: "file"),
    completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  @Flag(help: "Print JSON: one document on standard output, errors on standard error.")
  var json = false

  @Flag(name: .shortAndLong, help: "Hide progress and notes.")
  var quiet = false

  @Flag(
    name: .shortAndLong, help: "Log each step to standard error; repeat for details.")
  var verbose: Int

  @Flag(
    name: .customLong("trace-http"),
    help: "Log each HTTP request to standard error, without secrets.")
  var traceHTTP = false

  @Option(help: "Colour tables and the log.")
  var color = ColorChoice.auto

  @Flag(help: "Fail instead of asking or opening a browser.")
  var noInput = false

  /// True if a log or a trace goes to standard error, which a progress line would disturb.
  var showsSteps: Bool { verbose > 0 || traceHTTP }
}

/// The option that names an account.
struct AccountOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("Use this account instead of the configured default.", valueName: "name"),
    completion: ConfiguredValues.accounts)
  var account: String?
}

/// The options that name one account or several.
struct AccountsOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Use these accounts instead of the configured default; separate several by commas.",
      valueName: "name"),
    completion: ConfiguredValues.accountLists)
  var account: [String] = []

  @Flag(help: "Use every configured account.")
  var allAccounts = false

  func validate() throws {
    if allAccounts, !account.isEmpty {
      throw ValidationError("--all-accounts and --account exclude each other.")
    }
    if account.contains(where: { Self.parts(of: $0).contains("") }) {
      throw ValidationError(
        names.isEmpty ? "--account needs a name." : "A name is missing beside a comma of --account."
      )
    }
  }

  /// The named accounts, each once.
  var names: [String] {
    var seen: Set<String> = []
    return account.flatMap(Self.parts).filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  /// Returns the names between commas, without spaces around them.
  private static func parts(of text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
  }
}
