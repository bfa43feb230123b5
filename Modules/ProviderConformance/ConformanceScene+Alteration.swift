import Foundation
import Models
import Providers
import Storage
import Sync

extension ConformanceScene {
  /// Alters an invoice, deletes another and invents a third, as a user with a database tool could.
  func alterDatabase() async throws {
    let live = try await liveInvoices()
    guard live.count > 2 else { return }
    var altered = live[0]
    altered.total = altered.total.adding(ExactDecimal(1)) ?? .zero
    var invented = live[2]
    invented.id = "invented"
    try await store([altered, invented], removing: live[1].id)
  }

  /// Stores invoices that the server never had.
  func inventInvoices(_ count: Int) async throws {
    guard let pattern = try await liveInvoices().first else { return }
    try await store(
      (0..<count).map { number in
        var invoice = pattern
        invoice.id = "invented-\(number)"
        return invoice
      })
  }

  private func liveInvoices() async throws -> [Invoice] {
    try await stored().values.filter { $0.deletedAt == nil }.map(\.invoice)
      .sorted { $0.id < $1.id }
  }

  /// Stores and removes invoices without asking a server.
  private func store(_ invoices: [Invoice], removing removed: String? = nil) async throws {
    let store = database.invoiceStore
    guard let resumption = try await store.resumption(account: Self.account) else { return }
    let now = Timestamp(Date())
    let run = try await store.beginRun(
      RunStart(
        account: Self.account, provider: provider.name, kind: .incremental, startedAt: now,
        watermarkBefore: nil))
    var page = PendingPage(source: resumption.source, instant: now)
    page.records = store.encode(invoices)
    page.removals = [removed].compactMap { id in id.map { Removal(id: $0, reason: "altered") } }
    _ = try await run.commit([page])
    try await run.end(RunEnd(result: .complete, watermark: nil, requests: 0, endedAt: now))
  }
}
