import Models
import Storage

/// Everything that a run could have changed in a database.
struct StoredState: Equatable {
  private let invoices: [String: StoredInvoice]
  private let resumption: Resumption?
  /// When the latest run began.
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
