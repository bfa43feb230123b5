import AppCore
import ArgumentParser
import Foundation
import Providers
import SystemSupport

struct RootCommand: CommandGroup {
  static let configuration = CommandConfiguration(
    commandName: "appcore",
    abstract: "Sync invoices from accounting services into a local database.",
    version: "appcore \(Version.text)",
    subcommands: [
      SetupCommand.self, LoginCommand.self, LogoutCommand.self,
      StatusCommand.self, SyncCommand.self, InvoicesCommand.self, PaymentsCommand.self,
      ContactsCommand.self, DocumentsCommand.self, ReportCommand.self,
      OrganisationsCommand.self, SingerCommand.self,
      ConfigCommand.self, DescribeCommand.self, DoctorCommand.self, HelpCommand.self,
      ManualCommand.self,
    ])
  static let examples = [
    "setup                        # configure, sign in, sync",
    "sync all                     # fetch invoices, payments, contacts",
    "invoices list --overdue      # what is past its due date",
    "doctor                       # check the setup",
  ]
}

/// `appcore` without a command: the first steps if there is no configuration, else the help.
extension RootCommand: CoreCommand {
  func run(in environment: CommandEnvironment) async throws {
    let loader = environment.loader
    let path = loader.filePath()
    guard !FileManager.default.fileExists(atPath: path) else {
      return try await environment.terminal.print(
        HelpPage([.appcore]).text(calling: environment.terminal.program.words))
    }
    let profiles = loader.providers.map(\.profile)
    let names = profiles.filter { !$0.isFromDocumentation }.map(\.title)
    let others = profiles.count - names.count
    let providers =
      others > 0
      ? names.joined(separator: ", ") + " or \(others) others"
      : names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    try await environment.terminal.print(
      """
      appcore downloads your invoices into a database on this machine.
      There is no configuration yet (\(printable(path))). Begin with:
        appcore setup            connect \(providers)
        appcore setup --sandbox  try it with made-up invoices, without an account
        appcore --help           list all commands
      """)
  }
}
