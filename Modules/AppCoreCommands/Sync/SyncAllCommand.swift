import ArgumentParser

/// `appcore sync all`.
struct SyncAllCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "all", abstract: "Sync every resource that the provider lists.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption
  @OptionGroup var arguments: SyncArguments

  func run(in environment: CommandEnvironment) async throws {
    try await arguments.run(nil, global, accountsOption, in: environment)
  }
}
