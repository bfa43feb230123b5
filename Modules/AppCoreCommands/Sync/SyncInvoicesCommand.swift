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
    try await arguments.run(.invoices, global, accountsOption, in: environment)
  }
}
