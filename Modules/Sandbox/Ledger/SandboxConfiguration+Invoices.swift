extension SandboxConfiguration {
  /// Reads or makes up the invoices of every tenant; blocks while it does.
  func loadInvoices() throws -> [[LedgerInvoice]] {
    try (0..<tenants).map { number in
      switch source {
      case .generated(let count, let seed):
        var generator = InvoiceGenerator(seed: seed &+ UInt64(number))
        return generator.invoices(count: count)
      case .csv(let directory):
        return number == 0 ? try CSVInvoices.read(directory: directory) : []
      }
    }
  }
}
