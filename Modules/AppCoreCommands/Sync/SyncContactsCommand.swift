import ArgumentParser
import Models

/// `appcore sync contacts`.
struct SyncContactsCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "contacts", abstract: "Sync the contacts of an account.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption
  @OptionGroup var arguments: SyncArguments

  func run(in environment: CommandEnvironment) async throws {
    try await arguments.run(.contacts, global, accountsOption, in: environment)
  }
}
