import ArgumentParser

/// `appcore sync all`.
struct SyncAllCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "all", abstract: "Sync every resource that the provider lists.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption
  @OptionGroup var arguments: SyncArguments

  func run(in environment: CommandEnvironment) async throws {
    let arguments = arguments
    try await CommandContext.run(
      global, account: accountOption.account, in: environment
    ) { context in
      try await SyncSequence(context, arguments).runAll()
    }
  }
}
