import Foundation
import Models
import Networking
import Sandbox
import Storage
import Sync
import Testing

@Suite struct InvoiceSyncTests {
  @Test("a first sync stores everything, a second nothing, a third exactly what changed")
  func threeRuns() async throws {
    let fixture = try await SyncFixture { $0.source = .generated(invoices: 430, seed: 3) }
    let first = try await fixture.sync.run()
    #expect(first.result == .complete)
    #expect(first.inserted == 430 && first.updated == 0 && first.deleted == 0)
    #expect(try await fixture.stored() == fixture.served())

    let before = await fixture.invoiceRequests()
    let second = try await fixture.sync.run()
    #expect(second.inserted == 0 && second.updated == 0 && second.deleted == 0)
    #expect(second.requests == 1)
    #expect(await fixture.invoiceRequests() == before + 1)

    let changed = fixture.server.changeInvoices(count: 3, seed: 9)
    let voided = fixture.server.voidInvoices(count: 1)
    let third = try await fixture.sync.run()
    #expect(third.updated == Set(changed + voided).count)
    #expect(third.inserted == 0 && third.deleted == 0)
    #expect(try await fixture.stored() == fixture.served())
    #expect(
      (third.watermarkAfter ?? Timestamp(microsecondsSinceEpoch: 0))
        > (second.watermarkAfter ?? Timestamp(microsecondsSinceEpoch: 0)))
    try await fixture.stop()
  }

  @Test("what the server calls deleted is counted and kept with its reason")
  func deletions() async throws {
    let fixture = try await SyncFixture { $0.source = .generated(invoices: 40, seed: 1) }
    _ = try await fixture.sync.run()
    let deleted = fixture.server.deleteInvoices(count: 2)
    let report = try await fixture.sync.run()
    #expect(report.deleted == 2 && report.updated == 0)
    for id in deleted {
      let stored = try await fixture.database.invoice(id, account: "default")
      #expect(stored?.deletedAt != nil && stored?.deletedReason == "status DELETED")
    }
    try await fixture.stop()
  }

  // Edge case 44
  @Test("rows that change while pages are read are neither lost nor doubled", arguments: 1...20)
  func drift(seed: Int) async throws {
    let fixture = try await SyncFixture(pageSize: 7) {
      $0.source = .generated(invoices: 80, seed: UInt64(seed))
    }
    let server = fixture.server
    _ = try await fixture.sync.run { progress in
      if progress.pages < 12 {
        server.changeInvoices(count: 2, seed: UInt64(seed * 100 + progress.pages))
      }
    }
    _ = try await fixture.sync.run()
    #expect(try await fixture.stored() == fixture.served())
    try await fixture.stop()
  }

  // Edge cases 46 and 51
  @Test(
    "a broken page ends the run, keeps what is stored, and the next run completes",
    arguments: [
      Fault(path: "/api.xro/2.0/Invoices", kind: .truncate, skip: 2, times: 4),
      Fault(path: "/api.xro/2.0/Invoices", kind: .html, skip: 2),
      Fault(path: "/api.xro/2.0/Invoices", kind: .malformed, skip: 2),
      Fault(path: "/api.xro/2.0/Invoices", kind: .status, skip: 2, times: 4, status: 500),
      Fault(path: "/api.xro/2.0/Invoices", kind: .status, skip: 2, status: 403),
    ])
  func brokenPages(fault: Fault) async throws {
    let fixture = try await SyncFixture(pageSize: 20) {
      $0.source = .generated(invoices: 100, seed: 2)
    }
    fixture.server.armFault(fault)
    await #expect(throws: (any Error).self) { _ = try await fixture.sync.run() }
    #expect(try await fixture.database.count(account: "default") > 0)
    let run = try await fixture.database.lastRun(account: "default", resource: "invoices")
    #expect(run?.result == .failed)
    #expect(try await fixture.sync.run().result == .complete)
    #expect(try await fixture.stored() == fixture.served())
    try await fixture.stop()
  }

  // Edge case 49
  @Test("a long Retry-After ends the run as partial, with what was read and when to return")
  func rateLimit() async throws {
    let fixture = try await SyncFixture(pageSize: 20) {
      $0.source = .generated(invoices: 100, seed: 2)
    }
    fixture.server.armFault(
      Fault(
        path: "/api.xro/2.0/Invoices", kind: .status, skip: 2, status: 429,
        headers: ["Retry-After": "86400"]))
    let report = try await fixture.sync.run()
    #expect(report.result == .partial)
    #expect(report.retryAt != nil)
    #expect(report.inserted > 0)
    #expect(try await fixture.sync.run().result == .complete)
    #expect(try await fixture.stored() == fixture.served())
    try await fixture.stop()
  }

  // Edge case 51
  @Test("one unreadable row leaves the others, makes the run partial, and is met again")
  func unreadableRow() async throws {
    let fixture = try await SyncFixture { $0.source = .generated(invoices: 5, seed: 2) }
    let good = """
      {"Type":"ACCREC","InvoiceID":"good","Status":"PAID","CurrencyCode":"EUR","Total":1.10,
      "UpdatedDateUTC":"/Date(1587912334083+0000)/"}
      """
    let bad = good.replacingOccurrences(of: "good", with: "bad").replacingOccurrences(
      of: "1.10", with: #""x""#)
    fixture.server.armFault(
      Fault(
        path: "/api.xro/2.0/Invoices", kind: .replace, status: 200,
        body: #"{"pagination":{"pageCount":1},"Invoices":["# + bad + "," + good + "]}"))
    let report = try await fixture.sync.run()
    #expect(report.result == .partial)
    #expect(
      report.failures == [RowFailure(id: "bad", path: "Total", reason: "a number was expected")])
    #expect(try await fixture.stored().map(\.id) == ["good"])
    #expect(try await fixture.sync.run().inserted == 5)
    try await fixture.stop()
  }
}
