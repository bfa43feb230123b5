import Storage

/// The message about a query that finds no invoices.
enum EmptyResult {
  /// Writes on standard error why there are none.
  static func note(
    _ query: InvoiceQuery, _ database: LocalDatabase?, in terminal: Terminal
  ) async throws {
    guard !terminal.isJSON else { return }
    guard let database else { return terminal.note(nothingStored) }
    var everything = InvoiceQuery()
    (everything.accounts, everything.includesVoidAndDeleted) = (query.accounts, true)
    let stored = try await database.invoiceCount(matching: everything)
    guard stored > 0 else {
      everything.accounts = nil
      let others = try await database.invoiceCount(matching: everything)
      return terminal.note(
        others > 0
          ? "No invoices are stored for this account; \(others.grouped) are for others: "
            + "use --account or --all-accounts" : nothingStored)
    }
    var wider = query
    wider.includesVoidAndDeleted = true
    let hidden =
      query.includesVoidAndDeleted ? 0 : try await database.invoiceCount(matching: wider)
    terminal.note(
      "No invoices match; \(stored.grouped) stored, void and deleted ones included"
        + (hidden > 0 ? "; --all finds \(hidden.grouped)" : ""))
  }

  private static let nothingStored =
    "No invoices are stored; fetch them with: appcore sync invoices"
}
