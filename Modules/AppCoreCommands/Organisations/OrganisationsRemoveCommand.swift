import AppCore
import ArgumentParser

/// `appcore organisations remove`.
struct OrganisationsRemoveCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove an account that was added; the login stays.")

  @OptionGroup var global: GlobalOptions

  @Argument(
    help: ArgumentHelp("The account.", valueName: "account"),
    completion: ConfiguredValues.accounts)
  var account: String

  @Flag(help: "Delete the account's invoices and contacts from this machine too.")
  var forgetInvoices = false

  func run(in environment: CommandEnvironment) async throws {
    let (account, forgets) = (account, forgetInvoices)
    try await CommandContext.run(global, account: account, in: environment) { context in
      let isConfigured = context.core.configuration.accounts[account] != nil
      try await context.core.removeAddedAccount(account, forgetsRecords: forgets)
      let document = RemovedAccountDocument(
        account: account, forgotten: forgets, isConfigured: isConfigured)
      try await context.terminal.print(document, text: document.text)
    }
  }
}

private struct RemovedAccountDocument: Encodable {
  let schemaVersion = 1
  let account: String
  let forgotten: Bool
  /// False if only the database knew the account.
  let isConfigured: Bool

  private enum CodingKeys: CodingKey { case schemaVersion, account, forgotten }

  var text: String {
    guard isConfigured else {
      return "The invoices of '\(printable(account))' are deleted from this machine."
    }
    return "Removed account '\(printable(account))'; "
      + (forgotten
        ? "its invoices are deleted from this machine." : "its invoices stay on this machine.")
  }
}
