import AppCore
import Storage
import Sync

/// Syncs the invoices and prints the progress as it comes.
func syncInvoices(of core: ApplicationCore) async throws -> SyncReport {
  let running = try await core.sync(.invoices, account: "default").start()
  for await event in running.progress {
    switch event {
    case .stored(let position):
      print("\(position.position) of \(position.total.map(String.init) ?? "?") read")
    case .waiting(let wait): print("waiting \(wait.duration) (\(wait.reason.rawValue))")
    default: break
    }
  }
  let report = try await running.report
  print("\(report.counts.inserted) new, \(report.counts.updated) changed")
  return report
}

/// Returns the first invoices of a list.
func firstInvoices(of core: ApplicationCore, containing words: String) async throws
  -> [StoredInvoice]
{
  var query = InvoiceQuery()
  query.search = words
  query.limit = 50
  query.includesLines = false
  return try await core.database().invoices(matching: query)
}
