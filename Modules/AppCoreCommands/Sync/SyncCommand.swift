import ArgumentParser

/// `appcore sync`.
struct SyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Fetch changes from the provider into the database.",
    subcommands: [SyncInvoicesCommand.self, SyncContactsCommand.self, SyncAllCommand.self])
}
