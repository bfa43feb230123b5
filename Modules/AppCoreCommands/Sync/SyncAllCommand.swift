import ArgumentParser

/// `appcore sync all`.
struct SyncAllCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "all", abstract: "Sync every resource that the provider lists.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption
  @OptionGroup var arguments: SyncArguments

  func run(in environment: CommandEnvironment) async throws {
    let (arguments, isForAll) = (arguments, accountsOption.allAccounts)
    try await CommandContext.run(
      global, accounts: accountsOption, in: environment
    ) { context in
      guard !isForAll, !context.showsAccounts else {
        return try await AccountSyncSequence(context, arguments, isForAll: isForAll).run(nil)
      }
      try await SyncSequence(context, arguments).runAll()
    }
  }
}
