import ArgumentParser
import Models

/// `appcore sync contacts`.
struct SyncContactsCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "contacts", abstract: "Sync the contacts of an account.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption
  @OptionGroup var arguments: SyncArguments

  func run(in environment: CommandEnvironment) async throws {
    let arguments = arguments
    try await CommandContext.run(
      global, account: accountOption.account, in: environment
    ) { context in
      try await SyncSequence(context, arguments).run(.contacts)
    }
  }
}
