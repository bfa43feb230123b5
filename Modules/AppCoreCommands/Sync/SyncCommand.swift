import ArgumentParser

/// `appcore sync`.
struct SyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Bring what has changed at the provider into the database.",
    subcommands: [SyncInvoicesCommand.self, SyncContactsCommand.self, SyncAllCommand.self])
}

/// `appcore sync invoices`.
struct SyncInvoicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "invoices", abstract: "Sync the invoices of an account.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption
  @OptionGroup var arguments: SyncArguments

  func run() async throws {
    let arguments = arguments
    try await CommandContext.run(global, account: accountOption.account) { context in
      try await SyncSequence(context, arguments).run("invoices")
    }
  }
}

/// `appcore sync contacts`.
struct SyncContactsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contacts", abstract: "Sync the contacts of an account.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption
  @OptionGroup var arguments: SyncArguments

  func run() async throws {
    let arguments = arguments
    try await CommandContext.run(global, account: accountOption.account) { context in
      try await SyncSequence(context, arguments).run("contacts")
    }
  }
}

/// `appcore sync all`.
struct SyncAllCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "all", abstract: "Sync everything that the provider lists, one after the other.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption
  @OptionGroup var arguments: SyncArguments

  func run() async throws {
    let arguments = arguments
    try await CommandContext.run(global, account: accountOption.account) { context in
      try await SyncSequence(context, arguments).runAll()
    }
  }
}
