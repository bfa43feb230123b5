import AppCore
import ArgumentParser
import Documents
import Models
import Storage

/// `appcore contacts show`.
struct ContactsShowCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one contact.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption

  @Argument(
    help: ArgumentHelp(
      "The contact's id or its first 8 characters, or words of its name.", valueName: "name"))
  var name: String

  func run(in environment: CommandEnvironment) async throws {
    try await CommandContext.run(
      global, account: accountOption.account, in: environment
    ) { context in
      let found =
        try await context.database()?.contacts(named: name, account: context.account) ?? []
      guard let only = found.first, found.count == 1 else {
        throw Failures(Failure(contactsNamed: name, found))
      }
      try await context.terminal.print(
        ContactShowDocument(only), text: ContactSheet(stored: only).text)
    }
  }
}
