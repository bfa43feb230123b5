import Models
import Storage

/// Everything in a database that a run can change.
struct StoredState: Equatable {
  private let invoices: [String: StoredInvoice]
  private let resumption: Resumption?
  /// The start of the latest run, in microseconds since 1970.
  private let lastRun: Int64?

  init(_ scene: ConformanceScene) async throws {
    invoices = try await scene.stored()
    let store = scene.database.invoiceStore
    resumption = try await store.resumption(account: ConformanceScene.account)
    let last = try await scene.database.lastRun(
      account: ConformanceScene.account, resource: store.resource)
    lastRun = last?.startedAt.microsecondsSinceEpoch
  }
}
