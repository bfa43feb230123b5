import Foundation
import Models
import Networking
import Providers
import Sandbox
import Storage
import Sync
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ResourceSyncTests {
  @Test("a first sync stores everything, a second nothing, a third exactly what changed")
  func threeRuns() async throws {
    let fixture = try await SyncFixture { $0.source = .generated(invoices: 430, seed: 3) }
    let first = try await fixture.sync.run()
    #expect(first.result == .complete)
    #expect(first.counts.inserted == 430 && first.counts.updated == 0 && first.counts.deleted == 0)
    #expect(try await fixture.stored() == fixture.served())

    let before = await fixture.invoiceRequests()
    let second = try await fixture.sync.run()
    #expect(second.counts.inserted == 0 && second.counts.updated == 0 && second.counts.deleted == 0)
    #expect(second.requests == 1)
    #expect(await fixture.invoiceRequests() == before + 1)

    let changed = fixture.server.changeInvoices(count: 3, seed: 9)
    let voided = fixture.server.voidInvoices(count: 1)
    let third = try await fixture.sync.run()
    #expect(third.counts.updated == Set(changed + voided).count)
    #expect(third.counts.inserted == 0 && third.counts.deleted == 0)
    #expect(try await fixture.stored() == fixture.served())
    #expect(
      (third.watermarkAfter ?? Timestamp(microsecondsSinceEpoch: 0))
        > (second.watermarkAfter ?? Timestamp(microsecondsSinceEpoch: 0)))
    try await fixture.stop()
  }

  @Test("a record that the server calls deleted is counted, and kept with its reason")
  func deletions() async throws {
    let fixture = try await SyncFixture { $0.source = .generated(invoices: 40, seed: 1) }
    _ = try await fixture.sync.run()
    let deleted = fixture.server.deleteInvoices(count: 2)
    let report = try await fixture.sync.run()
    #expect(report.counts.deleted == 2 && report.counts.updated == 0)
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
      guard case .stored(let progress) = progress else { return }
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
    "a broken page ends the run, keeps stored records, and the next run completes",
    arguments: [
      Fault(path: "/api.xro/2.0/Invoices", kind: .truncate, skip: 2, times: 4),
      Fault(path: "/api.xro/2.0/Invoices", kind: .html, skip: 2),
      Fault(path: "/api.xro/2.0/Invoices", kind: .malformed, skip: 2),
      Fault(path: "/api.xro/2.0/Invoices", kind: .status, skip: 2, times: 4, status: 500),
      Fault(path: "/api.xro/2.0/Invoices", kind: .status, skip: 2, status: 403),
    ])
  func brokenPages(fault: Fault) async throws {
    let fixture = try await SyncFixture(pageSize: 20, maxConcurrentPages: 1) {
      $0.source = .generated(invoices: 100, seed: 2)
    }
    fixture.server.armFault(fault)
    await #expect(throws: (any Error).self) { _ = try await fixture.sync.run() }
    #expect(try await fixture.database.invoiceCount(account: "default") > 0)
    let run = try await fixture.database.lastRun(account: "default", resource: .invoices)
    #expect(run?.result == .failed)
    #expect(try await fixture.sync.run().result == .complete)
    #expect(try await fixture.stored() == fixture.served())
    try await fixture.stop()
  }

  // Edge case 49
  @Test("a long Retry-After ends the run as partial, and the report says when to return")
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
    #expect(report.counts.inserted > 0)
    #expect(try await fixture.sync.run().result == .complete)
    #expect(try await fixture.stored() == fixture.served())
    try await fixture.stop()
  }

  // Edge case 51
  @Test("one unreadable row leaves the others, makes the run partial, and is tried again")
  func unreadableRow() async throws {
    let fixture = try await SyncFixture(maxConcurrentPages: 1) {
      $0.source = .generated(invoices: 5, seed: 2)
    }
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
      report.failures == [
        RowFailure(
          id: "bad", path: "Total", reason: "not a text of a number of at most 38 digits")
      ])
    #expect(try await fixture.stored().map(\.id) == ["good"])
    #expect(try await fixture.sync.run().counts.inserted == 5)
    try await fixture.stop()
  }

  @Test("a full run finds changes that the server never reported, and a comparison says so")
  func verification() async throws {
    let fixture = try await SyncFixture(pageSize: 20) {
      $0.source = .generated(invoices: 70, seed: 4)
    }
    _ = try await fixture.sync.run()
    let ids = fixture.served().map(\.id)
    try await fixture.corrupt(
      "UPDATE invoice SET total = '1', fingerprint = 1 WHERE id = '\(ids[0])'",
      "DELETE FROM line WHERE invoice = (SELECT row FROM invoice WHERE id = '\(ids[1])')",
      "DELETE FROM invoice_search WHERE rowid IN (SELECT search_key FROM invoice_words JOIN invoice USING (row) WHERE id = '\(ids[1])')",
      "DELETE FROM invoice WHERE id = '\(ids[1])'",
      "UPDATE invoice SET id = 'never' WHERE id = '\(ids[2])'")
    #expect(try await fixture.sync.run().counts.updated == 0)
    var options = SyncOptions()
    options.verifies = true
    let report = try await fixture.sync.run(options)
    // One is missing, one has another identifier, and that one is too many.
    #expect(report.verification?.inserted == 2 && report.verification?.updated == 1)
    #expect(report.verification?.deleted == 1)
    let query = InvoiceQuery()
    let live = try await fixture.database.invoices(matching: query).map(\.invoice.id)
    #expect(!live.contains("never"))
    var nothing = ChangeCounts()
    nothing.unchanged = 70
    #expect(try await fixture.sync.run(options).verification == nothing)
    try await fixture.stop()
  }

  @Test("a run since an instant reads those changes again and keeps the cursor")
  func since() async throws {
    let fixture = try await SyncFixture(pageSize: 20) {
      $0.source = .generated(invoices: 70, seed: 4)
    }
    _ = try await fixture.sync.run()
    var options = SyncOptions()
    options.since = fixture.served().compactMap(\.updatedAt).sorted()[50]
    let report = try await fixture.sync.run(options)
    #expect(report.counts.unchanged >= 20 && report.counts.unchanged < 30)
    #expect(try await fixture.sync.run().requests == 1)
    try await fixture.stop()
  }

  @Test(
    "rows that concurrent pages have missed are counted, and read after all", arguments: 1...10)
  func missedRows(seed: Int) async throws {
    let fixture = try await SyncFixture(pageSize: 7, maxConcurrentPages: 4) {
      $0.source = .generated(invoices: 100, seed: UInt64(seed))
    }
    let server = fixture.server
    let report = try await fixture.sync.run { progress in
      guard case .stored(let progress) = progress else { return }
      if progress.pages < 10 {
        server.changeInvoices(count: 5, seed: UInt64(seed * 100 + progress.pages))
      }
    }
    #expect(report.result == .complete)
    #expect(Set(try await fixture.stored().map(\.id)) == Set(fixture.served().map(\.id)))
    _ = try await fixture.sync.run()
    #expect(try await fixture.stored() == fixture.served())
    try await fixture.stop()
  }

  @Test("contacts have a sync of their own")
  func contacts() async throws {
    let fixture = try await SyncFixture { $0.source = .generated(invoices: 60, seed: 4) }
    let contacts = ResourceSync(
      account: "default", feed: XeroFeed(XeroContacts.self, baseURL: fixture.server.url),
      session: fixture.session, store: fixture.database.contactStore,
      logger: .silent)
    _ = try await fixture.sync.run()
    let report = try await contacts.run()
    #expect(report.resource == .contacts && report.result == .complete)
    let parties = Set(fixture.served().compactMap(\.contact.id))
    let stored = try await fixture.database.contacts(account: "default")
    #expect(Set(stored.map(\.id)) == parties && report.counts.inserted == parties.count)
    #expect(stored.allSatisfy { $0.isCustomer == true || $0.isSupplier == true })
    #expect(try await contacts.run().counts.inserted == 0)
    #expect(try await fixture.sync.run().requests == 1)
    try await fixture.stop()
  }

  @Test("a dry run of a first sync counts every invoice once")
  func firstDryRun() async throws {
    let fixture = try await SyncFixture(pageSize: 20) {
      $0.source = .generated(invoices: 70, seed: 4)
    }
    var options = SyncOptions()
    options.isDryRun = true
    let report = try await fixture.sync.run(options)
    #expect(report.result == .dryRun && report.counts.inserted == 70)
    #expect(try await fixture.stored().isEmpty)
    try await fixture.stop()
  }

  @Test("an unreadable row does not hold back later rows, and is tried again")
  func unreadableAndLimit() async throws {
    let fixture = try await SyncFixture(pageSize: 10, maxConcurrentPages: 1) {
      $0.source = .generated(invoices: 35, seed: 2)
    }
    let bad = """
      {"pagination":{"pageCount":4},"Invoices":[{"InvoiceID":"bad","Total":"x",
      "UpdatedDateUTC":"/Date(1)/"}, {"InvoiceID":"good","Type":"ACCREC","Status":"PAID",
      "CurrencyCode":"EUR","Total":1.10,"UpdatedDateUTC":"/Date(1000)/"}]}
      """
    fixture.server.armFault(
      Fault(path: "/api.xro/2.0/Invoices", kind: .replace, status: 200, body: bad))
    var options = SyncOptions()
    options.limit = 1
    #expect(try await fixture.sync.run(options).result == .partial)
    let second = try await fixture.sync.run(options)
    #expect(second.counts.inserted == 10 && second.ending == .limit)
    // No run has reported the row yet, and the list of changes does not say that it is gone.
    let third = try await fixture.sync.run()
    #expect(third.ending == .unreadable && third.failures.map(\.id) == ["bad"])
    let fourth = try await fixture.sync.run()
    #expect(fourth.result == .complete && fourth.counts.inserted == 0)
    var full = SyncOptions()
    full.isFull = true
    #expect(try await fixture.sync.run(full).failureCount == 0)
    #expect(Set(try await fixture.stored()).isSuperset(of: fixture.served()))
    try await fixture.stop()
  }

  @Test("a full run for another organisation changes nothing, and the account goes on")
  func otherOrganisation() async throws {
    let fixture = try await SyncFixture {
      $0.source = .generated(invoices: 40, seed: 2)
      $0.tenants = 2
    }
    let tenants = fixture.server.tenantIDs
    func sync(_ tenant: String) -> ResourceSync {
      ResourceSync(
        account: "default",
        feed: XeroFeed(XeroInvoices.self, baseURL: fixture.server.url, tenantID: tenant),
        session: fixture.session, store: fixture.database.invoiceStore,
        logger: .silent)
    }
    _ = try await sync(tenants[0]).run()
    var options = SyncOptions()
    options.isFull = true
    await #expect(throws: StorageError.self) { _ = try await sync(tenants[1]).run(options) }
    #expect(try await fixture.sync.run().requests == 1)
    try await fixture.stop()
  }
}
