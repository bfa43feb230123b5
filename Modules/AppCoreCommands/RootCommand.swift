import ArgumentParser

/// `appcore`.
struct RootCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "appcore",
    abstract: "Sync invoices from accounting services into a local database.",
    version: "appcore \(Version.text)",
    subcommands: [
      LoginCommand.self, LogoutCommand.self, StatusCommand.self, SyncCommand.self,
      InvoicesCommand.self, DoctorCommand.self, HelpCommand.self, ManualCommand.self,
    ])

  func run(in environment: CommandEnvironment) async throws {
    try await environment.console.print(HelpPage([.appcore]).text)
  }
}
