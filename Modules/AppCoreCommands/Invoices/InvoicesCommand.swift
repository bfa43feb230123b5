import ArgumentParser

/// `appcore invoices`.
struct InvoicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "invoices", abstract: "Read the invoices in the database.",
    subcommands: [
      InvoicesListCommand.self, InvoicesShowCommand.self, InvoicesSummaryCommand.self,
      InvoicesExportCommand.self,
    ])
}
