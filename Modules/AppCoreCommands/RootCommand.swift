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

  @Flag(
    name: .shortAndLong, help: "Tell each step on standard error; twice, the details as well.")
  var verbose: Int

  @Flag(
    name: .customLong("trace-http"),
    help: "Print a line for each HTTP request on standard error; it holds no secret.")
  var traceHTTP = false

  @Option(help: "Whether the log on standard error is in colour.")
  var color = ColorChoice.auto

  @Flag(help: "Never ask or open a browser; fail instead.")
  var noInput = false

  /// Whether standard error tells what is done, so that a display of progress would be in its way.
  var showsSteps: Bool { verbose > 0 || traceHTTP }
}

/// The option that names an account.
struct AccountOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("The account; the configured default unless given.", valueName: "name"))
  var account: String?
}
