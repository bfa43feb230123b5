import ArgumentParser

/// `appcore sync`.
struct SyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Bring what has changed at the provider into the database.",
    subcommands: [SyncInvoicesCommand.self, SyncContactsCommand.self, SyncAllCommand.self])
}
