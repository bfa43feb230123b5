import ArgumentParser
import Models

/// `appcore sync`.
struct SyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Fetch changes from the provider into the database.",
    subcommands: [SyncInvoicesCommand.self, SyncContactsCommand.self, SyncAllCommand.self])
}

extension SyncArguments {
  /// Syncs a list of each account that the user names; `nil` takes all that the provider has.
  func run(
    _ resource: Resource?, _ global: GlobalOptions, _ accounts: AccountsOption,
    in environment: CommandEnvironment
  ) async throws {
    let isForAll = accounts.allAccounts
    try await CommandContext.run(global, accounts: accounts, in: environment) { context in
      if isForAll || context.showsAccounts {
        try await AccountSyncSequence(context, self, isForAll: isForAll).run(resource.map { [$0] })
      } else if let resource {
        try await SyncSequence(context, self).run(resource)
      } else {
        try await SyncSequence(context, self).runAll()
      }
    }
  }
}
