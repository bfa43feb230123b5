import AppCore
import ArgumentParser
import Models
import Storage

/// `appcore invoices show`.
struct InvoicesShowCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one invoice with its lines.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption

  @Argument(
    help: ArgumentHelp("The invoice's ID or number.", valueName: "id"),
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
        throw Failures(Self.failure(wanted, found))
      }
      let document = InvoiceShowDocument(invoice: InvoiceDocument(only, withLines: true))
      try await context.terminal.print(document, text: InvoiceSheet(only).text)
    }
  }

  private static func failure(_ wanted: String, _ found: [StoredInvoice]) -> Failure {
    guard !found.isEmpty else {
      return Failure(
        .unclassified, "not-found", "there is no invoice '\(wanted)'", "appcore invoices list --all"
      )
    }
    let ids = found.map(\.invoice.id).joined(separator: ", ")
    return Failure(
      .unclassified, "ambiguous", "\(found.count) invoices have the number '\(wanted)': \(ids)",
      "appcore invoices show ID")
  }
}

private struct InvoiceShowDocument: Encodable {
  let schemaVersion = 1
  let invoice: InvoiceDocument
}
