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
    let (arguments, isForAll) = (arguments, accountsOption.allAccounts)
    try await CommandContext.run(
      global, accounts: accountsOption, in: environment
    ) { context in
      guard !isForAll, !context.showsAccounts else {
        return try await AccountSyncSequence(context, arguments, isForAll: isForAll).run([.contacts]
        )
      }
      try await SyncSequence(context, arguments).run(.contacts)
    }
  }
}
