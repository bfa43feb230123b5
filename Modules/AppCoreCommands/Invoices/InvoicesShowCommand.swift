import AppCore
import ArgumentParser
import Documents
import Models
import Storage

/// `appcore invoices show`.
struct InvoicesShowCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one invoice with its lines.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption

  @Argument(
    help: ArgumentHelp(
      "The invoice's number or id, in any case, or the first 8 letters of its id.", valueName: "id"),
    completion: ConfiguredValues.invoiceNumbers)
  var id: String

  func run(in environment: CommandEnvironment) async throws {
    let wanted = id
    try await CommandContext.run(
      global, account: accountOption.account, in: environment
    ) { context in
      let found =
        try await context.database()?.invoices(named: wanted, account: context.account) ?? []
      guard let only = found.first, found.count == 1 else {
        throw Failures(Failure(invoicesNamed: wanted, found))
      }
      let document = InvoiceShowDocument(only)
      try await context.terminal.print(document, text: InvoiceSheet(only).text)
    }
  }
}
