import Models
import Sandbox
import Storage
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

/// Syncs of an account whose invoices the sandbox keeps.
@Suite(.timeLimit(.minutes(10))) struct StripeSyncTests {
  private func fixture(invoices: Int, pageSize: Int) async throws -> LoopbackSync {
    try await LoopbackSync(.stripe, invoices: invoices) {
      StripeFeed(StripeInvoices.self, baseURL: $0.url, pageSize: pageSize)
    }
  }

  @Test(
    "invoices are synced completely, then unchanged, then with edits, voids and deletions",
    arguments: [9, 100])
  func invoices(pageSize: Int) async throws {
    let fixture = try await fixture(invoices: 150, pageSize: pageSize)
    let first = try await fixture.sync.run()
    #expect(first.result == .complete && first.counts.updated + first.counts.deleted == 0)
    #expect(first.counts.inserted == fixture.ledger(ShownInvoices.stripe).count)
    #expect(try await fixture.live() == fixture.ledger(ShownInvoices.stripe))
    #expect(fixture.ledger(ShownInvoices.stripe).contains { $0.lines.count > 2 })

    let before = await fixture.requests("GET /v1/invoices")
    let second = try await fixture.sync.run()
    #expect(second.counts.inserted + second.counts.updated + second.counts.deleted == 0)
    #expect(await fixture.requests("GET /v1/invoices") == before)

    fixture.server.changeInvoices(count: 20, seed: 3)
    fixture.server.voidInvoices(count: 5)
    let deleted = fixture.server.deleteInvoices(count: 6)
    fixture.server.addInvoices(count: 8)
    let third = try await fixture.sync.run()
    #expect(third.result == .complete && third.counts.deleted > 0)
    #expect(third.counts.deleted <= deleted.count)
    #expect(try await fixture.live() == fixture.ledger(ShownInvoices.stripe))
    #expect(await fixture.requests("GET /v1/invoices") == before)
    #expect(try await fixture.sync.run().counts.deleted == 0)
    try await fixture.stop()
  }

  @Test("changes that are no longer reported are found by reading everything")
  func expired() async throws {
    let fixture = try await fixture(invoices: 60, pageSize: 25)
    _ = try await fixture.sync.run()
    fixture.server.deleteInvoices(count: 4)
    fixture.server.changeInvoices(count: 4)
    try await fixture.setCursor("since", to: "2020-01-01T00:00:00Z")
    let report = try await fixture.sync.run()
    #expect(report.result == .complete && report.counts.deleted > 0)
    #expect(try await fixture.live() == fixture.ledger(ShownInvoices.stripe))
    #expect(try await fixture.sync.run().counts.deleted == 0)
    try await fixture.stop()
  }
}
