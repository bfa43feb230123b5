import AppCore
import Storage

/// Calls `show` with the newest invoices: now, and after each change by any process.
///
/// It runs until its task is cancelled, and uses no processor time while nothing changes.
func followInvoices(
  of core: ApplicationCore, show: @Sendable ([StoredInvoice]) async -> Void
) async throws {
  var query = InvoiceQuery()
  query.sort = .updatedAt
  query.limit = 20
  for try await invoices in try await core.database().observe(query) {
    await show(invoices)
  }
}
