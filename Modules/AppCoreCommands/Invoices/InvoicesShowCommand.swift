import AppCore
import ArgumentParser
import Storage

/// `appcore invoices show`.
struct InvoicesShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one invoice with its lines.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption

  @Argument(help: ArgumentHelp("The invoice's id or number.", valueName: "id"))
  var id: String

  func run() async throws {
    let wanted = id
    try await CommandContext.run(global, account: accountOption.account) { context in
      let found = try await context.core.database().invoice(wanted, account: context.account)
      guard let found else {
        Terminal.write(
          context.terminal.isJSON
            ? FailureDocument(
              code: "not-found", message: "no invoice '\(wanted)'",
              hint: "appcore invoices list --all", isRetryable: false, status: .unclassified
            ).json
            : "appcore: there is no invoice '\(wanted)'; see: appcore invoices list --all",
          to: .standardError)
        throw CommandEnded(status: .unclassified)
      }
      let document = InvoiceShowDocument(invoice: InvoiceDocument(found, withLines: true))
      try context.terminal.print(document, text: InvoiceSheet(found).text)
    }
  }
}

private struct InvoiceShowDocument: Encodable {
  let schemaVersion = 1
  let invoice: InvoiceDocument
}
