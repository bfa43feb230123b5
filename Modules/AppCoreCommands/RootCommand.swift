import ArgumentParser
import Documents
import SystemSupport

/// `appcore`.
struct RootCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "appcore",
    abstract: "Sync invoices from accounting services into a local database.",
    version: "appcore \(Version.text)",
    subcommands: [
      SetupCommand.self, LoginCommand.self, LogoutCommand.self,
      StatusCommand.self, SyncCommand.self, InvoicesCommand.self, ContactsCommand.self,
      ReportCommand.self,
      OrganisationsCommand.self,
      ConfigCommand.self, DoctorCommand.self, HelpCommand.self, ManualCommand.self,
    ])
}
