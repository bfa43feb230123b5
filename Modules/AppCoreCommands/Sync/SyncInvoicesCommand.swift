import ArgumentParser
import Models

/// `appcore sync invoices`.
struct SyncInvoicesCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "invoices", abstract: "Sync the invoices of an account.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption
  @OptionGroup var arguments: SyncArguments

  func run(in environment: CommandEnvironment) async throws {
    let (arguments, isForAll) = (arguments, accountsOption.allAccounts)
    try await CommandContext.run(
      global, accounts: accountsOption, in: environment
    ) { context in
      guard !isForAll, !context.showsAccounts else {
        return try await AccountSyncSequence(context, arguments, isForAll: isForAll).run([.invoices]
        )
      }
      try await SyncSequence(context, arguments).run(.invoices)
    }
  }
}
