import ArgumentParser

/// `appcore invoices`.
struct InvoicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "invoices", abstract: "Look at the invoices in the database.",
    subcommands: [
      InvoicesListCommand.self, InvoicesShowCommand.self, InvoicesSummaryCommand.self,
      InvoicesExportCommand.self,
    ])
}
