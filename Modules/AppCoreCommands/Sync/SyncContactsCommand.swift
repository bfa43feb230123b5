import ArgumentParser
import Models

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
      try await SyncSequence(context, arguments).run(.contacts)
    }
  }
}
