import AppCore
import ArgumentParser
import Storage

/// `appcore invoices summary`.
struct InvoicesSummaryCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "summary", abstract: "Total invoices by month, currency and type.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption
  @OptionGroup var filter: InvoiceFilterOptions

  func run(in environment: CommandEnvironment) async throws {
    let asked = filter.query
    try await CommandContext.run(
      global, account: accountOption.account, in: environment
    ) { context in
      var query = asked
      query.account = context.account
      let totals = try await context.database()?.monthlyTotals(matching: query) ?? []
      let document = InvoiceSummaryDocument(months: totals.map(InvoiceSummaryDocument.Month.init))
      try await context.terminal.print(document, text: InvoiceSummaryTable(totals).text)
    }
  }
}
