import AppCore
import Foundation
import JSONReading
import Models
import ProviderConformance
import SecureStore
import Storage
import Sync

func openKeyring() async throws -> any SecretStore {
  let store = LibsecretStore()
  if try await store.checkAvailability().isLocked { try await store.unlock() }
  return store
}

func price(_ digits: String, in currency: Currency) -> Money? {
  ExactDecimal(digits).map { Money($0, currency) }
}

func total(in document: [UInt8]) throws -> ExactDecimal? {
  var total: ExactDecimal?
  var reader = JSONReader(document)
  try reader.readObject { reader, key in
    switch key {
    case "total": total = try reader.readDecimal()
    default: try reader.skipValue()
    }
  }
  return total
}

func lostRows(at url: URL) async throws -> [ConformanceFinding] {
  let suite = ProviderConformance(LedgerlyProvider()) { LedgerlyServer(url: url, invoices: 45) }
  return try await suite.findings(of: .movingRows)
}

func openInvoices(in database: LocalDatabase) async throws -> [StoredInvoice] {
  var query = InvoiceQuery()
  query.statuses = [.open]
  query.sort = .dueDate
  return try await database.invoices(matching: query)
}

func changes(of sync: ResourceSync) async throws -> [RecordChange] {
  var options = SyncOptions()
  options.isDryRun = true
  return try await sync.run(options).changes
}

func syncEveryAccount(of core: ApplicationCore) async -> [AccountSyncResult] {
  let running = core.sync(accounts: await core.syncedAccounts())
  for await event in running.events {
    if case .finished(let result) = event { print(result.account, result.isComplete) }
  }
  let results = await running.results
  return results
}
