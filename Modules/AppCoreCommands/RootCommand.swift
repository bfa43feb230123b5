import ArgumentParser

/// `appcore`.
struct RootCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "appcore",
    abstract: "Signs in, and keeps a person's invoices in a local database.",
    version: "0.1.0",
    subcommands: [
      LoginCommand.self, LogoutCommand.self, StatusCommand.self, SyncCommand.self,
      InvoicesCommand.self, DoctorCommand.self,
    ])
}

/// Options that every command has.
struct GlobalOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The configuration file.", valueName: "file"))
  var config: String?

  @Flag(help: "Print one JSON document on standard output; failures are JSON on standard error.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print no progress.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Log what is done, on standard error.")
  var verbose = false

  @Flag(help: "Never ask or open a browser; fail instead.")
  var noInput = false
}

/// The option that names an account.
struct AccountOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("The account; the configured default unless given.", valueName: "name"))
  var account: String?
}
