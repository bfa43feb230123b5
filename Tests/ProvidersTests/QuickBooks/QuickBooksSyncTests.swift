import HTTPTypes
import Models
import Sandbox
import Storage
import Synchronization
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

/// Syncs of a company whose books the sandbox keeps.
@Suite(.timeLimit(.minutes(10))) struct QuickBooksSyncTests {
  private func fixture(invoices: Int, pageSize: Int) async throws -> LoopbackSync {
    try await LoopbackSync(.quickbooks, invoices: invoices) {
      QuickBooksFeed(
        QuickBooksInvoices.self, baseURL: $0.url, realmID: $0.tenantIDs.first, pageSize: pageSize)
    }
  }

  @Test(
    "books are synced completely, then unchanged, then with edits, voids and deletions",
    arguments: [1, 7, 1_000])
  func books(pageSize: Int) async throws {
    let fixture = try await fixture(invoices: 120, pageSize: pageSize)
    let first = try await fixture.sync.run()
    #expect(first.result == .complete && first.counts.deleted == 0)
    #expect(first.counts.inserted == fixture.ledger(ShownInvoices.quickbooks).count)
    #expect(try await fixture.live() == fixture.ledger(ShownInvoices.quickbooks))
    // A list of several pages is counted for the display, and where each instant fills a page, all
    // is counted at the end.
    let counts = await fixture.requests("POST /v3/company/\(fixture.server.tenantIDs[0])/batch")
    #expect(counts == (pageSize == 1_000 ? 0 : pageSize == 7 ? 1 : 2))

    let second = try await fixture.sync.run()
    #expect(second.counts.inserted + second.counts.updated + second.counts.deleted == 0)

    fixture.server.changeInvoices(count: 9, seed: 3)
    fixture.server.voidInvoices(count: 3)
    let deleted = fixture.server.deleteInvoices(count: 4)
    fixture.server.addInvoices(count: 5)
    let third = try await fixture.sync.run()
    #expect(third.result == .complete && third.counts.deleted == 4)
    #expect(try await fixture.live() == fixture.ledger(ShownInvoices.quickbooks))
    let all = try await fixture.database.invoices(matching: everything)
    let gone = all.filter { $0.deletedAt != nil }
    #expect(Set(gone.map { $0.invoice.id.replacing("bill/", with: "") }) == Set(deleted))
    #expect(gone.allSatisfy { $0.deletedReason == "status Deleted" })
    #expect(try await fixture.sync.run().counts.deleted == 0)
    try await fixture.stop()
  }

  @Test("the display of a first sync has the number of all documents from its first page on")
  func total() async throws {
    let fixture = try await fixture(invoices: 60, pageSize: 10)
    let count = fixture.ledger(ShownInvoices.quickbooks).count
    let totals = Mutex<[Int?]>([])
    let report = try await fixture.sync.run { event in
      guard case .stored(let position) = event else { return }
      totals.withLock { $0.append(position.total) }
    }
    #expect(report.result == .complete && report.counts.inserted == count)
    #expect(totals.withLock { $0.count > 1 && $0.allSatisfy { $0 == count } })
    // A run for changes reads a few pages, so it needs no total.
    fixture.server.changeInvoices(count: 15, seed: 3)
    #expect(try await fixture.sync.run().result == .complete)
    let path = "POST /v3/company/\(fixture.server.tenantIDs[0])/batch"
    #expect(await fixture.requests(path) == 1)
    try await fixture.stop()
  }

  @Test("a refused count costs the display its total, and the sync nothing")
  func refusedTotal() async throws {
    let fixture = try await fixture(invoices: 60, pageSize: 10)
    let path = "/v3/company/\(fixture.server.tenantIDs[0])/batch"
    fixture.server.armFault(Fault(path: path, kind: .status, status: 400))
    #expect(try await fixture.sync.run().result == .complete)
    #expect(try await fixture.live() == fixture.ledger(ShownInvoices.quickbooks))
    try await fixture.stop()
  }

  @Test("a stopped run continues at its cursor, page by page")
  func interrupted() async throws {
    let fixture = try await fixture(invoices: 60, pageSize: 10)
    var options = SyncOptions()
    options.limit = 10
    var runs = 0
    while try await fixture.sync.run(options).result != .complete, runs < 40 { runs += 1 }
    #expect((3..<40).contains(runs))
    #expect(try await fixture.live() == fixture.ledger(ShownInvoices.quickbooks))
    try await fixture.stop()
  }

  @Test("records that are deleted before a first reading continues are removed at its end")
  func deletedMeanwhile() async throws {
    let fixture = try await fixture(invoices: 60, pageSize: 10)
    var options = SyncOptions()
    options.limit = 30
    #expect(try await fixture.sync.run(options).result == .partial)
    let before = try await fixture.live().map(\.id)
    fixture.server.deleteInvoices(count: 25)
    let after = Set(fixture.ledger(ShownInvoices.quickbooks).map(\.id))
    #expect(before.contains { !after.contains($0) })
    #expect(try await fixture.sync.run().result == .complete)
    #expect(try await fixture.live() == fixture.ledger(ShownInvoices.quickbooks))
    try await fixture.stop()
  }

  @Test("deletions that are no longer reported are found by reading everything")
  func expired() async throws {
    let fixture = try await fixture(invoices: 80, pageSize: 50)
    _ = try await fixture.sync.run()
    fixture.server.deleteInvoices(count: 3)
    try await fixture.setCursor("changesKnownUntil", to: "2020-01-01T00:00:00Z")
    let report = try await fixture.sync.run()
    #expect(report.result == .complete && report.counts.deleted == 3)
    #expect(try await fixture.live() == fixture.ledger(ShownInvoices.quickbooks))
    #expect(await fixture.requests("GET /v3/company/\(fixture.server.tenantIDs[0])/cdc") == 1)
    #expect(try await fixture.sync.run().counts.deleted == 0)
    try await fixture.stop()
  }

  @Test("more changes than one answer holds are found by reading everything")
  func manyChanges() async throws {
    let fixture = try await fixture(invoices: 1_300, pageSize: 1_000)
    _ = try await fixture.sync.run()
    fixture.server.changeInvoices(count: 1_100, seed: 3)
    fixture.server.deleteInvoices(count: 3)
    let report = try await fixture.sync.run()
    #expect(report.result == .complete && report.counts.deleted == 3)
    #expect(try await fixture.live() == fixture.ledger(ShownInvoices.quickbooks))
    try await fixture.stop()
  }

  private var everything: InvoiceQuery {
    var query = InvoiceQuery()
    query.includesVoidAndDeleted = true
    return query
  }
}
