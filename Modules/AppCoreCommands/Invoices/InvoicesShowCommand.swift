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
        throw Failures(Self.failure(wanted, found))
      }
      let document = InvoiceShowDocument(invoice: InvoiceDocument(only, withLines: true))
      try await context.terminal.print(document, text: InvoiceSheet(only).text)
    }
  }

  private static func failure(_ wanted: String, _ found: [StoredInvoice]) -> Failure {
    guard !found.isEmpty else {
      return Failure(
        .unclassified, "not-found", "no invoice has the number or id '\(wanted)'",
        "Search for it: appcore invoices list --all --search \(wanted.shellWord)")
    }
    let named = found.map { stored in
      stored.invoice.number.map { "\($0) (\(stored.invoice.id))" } ?? stored.invoice.id
    }
    let count = found.count == 10 ? "10 or more" : "\(found.count)"
    return Failure(
      .unclassified, "ambiguous",
      "\(count) invoices match '\(wanted)': \(named.joined(separator: ", "))",
      "Show one by its id: appcore invoices show \(found[0].invoice.id.shellWord)")
  }
}

private struct InvoiceShowDocument: Encodable {
  let schemaVersion = 1
  let invoice: InvoiceDocument
}
