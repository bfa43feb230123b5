import Foundation
import Models
import Storage
import Sync

extension ConformanceScene {
  /// Alters an invoice, deletes another and invents a third, as a person with a database tool would.
  func alterDatabase() async throws {
    let store = database.invoiceStore
    let live = try await stored().filter { $0.value.deletedAt == nil }.sorted { $0.key < $1.key }
    guard let resumption = try await store.resumption(account: Self.account), live.count > 2 else {
      return
    }
    var altered = live[0].value.invoice
    altered.total = altered.total.adding(ExactDecimal(1)) ?? .zero
    var invented = live[2].value.invoice
    invented.id = "invented"
    let now = Timestamp(Date())
    let run = try await store.beginRun(
      RunStart(
        account: Self.account, provider: provider.name, mode: "alteration", startedAt: now,
        watermarkBefore: nil))
    var page = PageCommit(
      account: Self.account, source: resumption.source, run: run, instant: now)
    page.records = store.encode([altered, invented])
    page.removals = [Removal(id: live[1].key, reason: "altered")]
    _ = try await store.commit([page])
    try await store.endRun(
      run, RunEnd(result: .complete, watermark: nil, requests: 0, endedAt: now))
  }
}
