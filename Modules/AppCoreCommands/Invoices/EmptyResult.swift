import AppCore
import Models
import Storage

/// The message about a query that finds no invoices.
enum EmptyResult {
  /// Writes on standard error why there are none.
  static func note(
    _ query: InvoiceQuery, _ database: LocalDatabase?, in context: CommandContext
  ) async throws {
    let terminal = context.terminal
    guard !terminal.isJSON else { return }
    guard let database else { return terminal.note(context.nothingStored(of: .invoices)) }
    var everything = InvoiceQuery()
    (everything.accounts, everything.includesVoidAndDeleted) = (query.accounts, true)
    let stored = try await database.invoiceCount(matching: everything)
    guard stored > 0 else {
      let elsewhere = try await elsewhere(everything, database, in: context)
      return terminal.note(
        elsewhere.isEmpty
          ? context.nothingStored(of: .invoices)
          : Hint(
            "No invoices are stored for "
              + (context.showsAccounts ? "these accounts" : "this account") + elsewhere))
    }
    var wider = query
    wider.includesVoidAndDeleted = true
    let hidden =
      query.includesVoidAndDeleted ? 0 : try await database.invoiceCount(matching: wider)
    terminal.note(
      "No invoices match; \(stored.grouped) stored, void and deleted ones included"
        + (hidden > 0 ? "; --all finds \(hidden.grouped)" : ""))
  }

  /// Returns how many invoices other accounts hold, and how to show them; empty if there are none.
  private static func elsewhere(
    _ query: InvoiceQuery, _ database: LocalDatabase, in context: CommandContext
  ) async throws -> String {
    let configured = context.core.configuration.accounts
    let stored = try await database.accountsWithInvoices()
    func count(_ names: [String]) async throws -> String? {
      guard !names.isEmpty else { return nil }
      var query = query
      query.accounts = names
      return try await database.invoiceCount(matching: query).grouped
    }
    let removed = stored.filter { configured[$0] == nil }
    var text = ""
    if let number = try await count(stored.filter { configured[$0] != nil }) {
      text += "; other accounts hold \(number): use --account or --all-accounts"
    }
    if let first = removed.first, let number = try await count(removed) {
      text += "; accounts that are not configured any more hold \(number) "
      text += "(\(HumanText.some(removed))): use --account \(first.shellWord)"
    }
    return text
  }
}
