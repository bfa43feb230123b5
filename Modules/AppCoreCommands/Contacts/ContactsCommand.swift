import ArgumentParser

/// `appcore contacts`.
struct ContactsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contacts", abstract: "Read the contacts in the database.",
    subcommands: [
      ContactsListCommand.self, ContactsShowCommand.self, ContactsExportCommand.self,
    ])
}
