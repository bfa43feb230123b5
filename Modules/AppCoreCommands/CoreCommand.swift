import AppCore
import ArgumentParser
import Foundation

/// A command, or a group of commands, with examples for its help.
protocol DocumentedCommand: AsyncParsableCommand {
  /// Command lines that work, without the program's name.
  static var examples: [String] { get }
}

/// A command that takes its environment as an argument, so that tests run it in their own process.
protocol CoreCommand: DocumentedCommand {
  func run(in environment: CommandEnvironment) async throws
}

/// A command that has subcommands, and does nothing by itself.
protocol CommandGroup: DocumentedCommand {}

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
}

/// The options that name the client of an account.
struct ClientOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The provider.", valueName: "name"), completion: ConfiguredValues.providers)
  var provider: String?

  @Option(
    name: .customLong("client-id"), help: ArgumentHelp("The client identifier.", valueName: "id"))
  var clientID: String?

  @Option(
    help: ArgumentHelp("A file that holds the client secret.", valueName: "file"),
    completion: .file())
  var clientSecretFile: String?

  /// Returns the path of the file; a relative one starts from the user's current folder.
  func secretPath(in environment: CommandEnvironment) -> String? {
    clientSecretFile.map(environment.path)
  }
}

struct AccountOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("Use this account instead of the configured default.", valueName: "name"),
    completion: ConfiguredValues.accounts)
  var account: String?
}

struct AccountsOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Use these accounts instead of the configured default; separate several by commas. @NAME "
        + "stands for the accounts of a group.",
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

  /// The named accounts and groups, each once.
  var names: [String] {
    var seen: Set<String> = []
    return account.flatMap(Self.parts).filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  /// Returns the accounts that are meant, each once; empty for the default account.
  ///
  /// - Throws: ``ConfigurationError`` for a group without accounts.
  func accounts(in configuration: CoreConfiguration) throws -> [String] {
    if allAccounts || (names.isEmpty && configuration.usesAllAccounts) {
      return configuration.accounts.keys.sorted()
    }
    var found: [String] = []
    for name in names {
      let members =
        name.hasPrefix("@")
        ? try configuration.accounts(inGroup: String(name.dropFirst())) : [name]
      found += members.filter { !found.contains($0) }
    }
    return found
  }

  /// Returns the names between commas, without spaces around them.
  private static func parts(of text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
  }
}
