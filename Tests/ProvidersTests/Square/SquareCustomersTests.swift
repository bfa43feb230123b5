import Foundation
import Models
import Networking
import Storage
import Sync
import TestSupport
import Testing

@testable import Providers
@testable import Sandbox

/// Customers of Square, which are read by their changes, and again if fewer are counted.
@Suite(.timeLimit(.minutes(10))) struct SquareCustomersTests {
  private static let search = "POST /v2/customers/search"

  private func fixture(pageSize: Int) async throws -> (LoopbackSync, ResourceSync) {
    let fixture = try await LoopbackSync(.square, invoices: 60) {
      SquareFeed(baseURL: $0.url)
    }
    return (
      fixture,
      fixture.contacts(SquareCustomersFeed(baseURL: fixture.server.url, pageSize: pageSize))
    )
  }

  private func served(_ fixture: LoopbackSync) throws -> [String] {
    try ShownContacts.square(fixture.server).map(\.id).sorted()
  }

  private func stored(_ fixture: LoopbackSync) async throws -> [String] {
    try await fixture.database.contacts(account: "default").map(\.id).sorted()
  }

  @Test("nothing changed costs two counts and a search; an edit costs no more")
  func unchanged() async throws {
    let (fixture, sync) = try await fixture(pageSize: 100)
    #expect(try await sync.run().counts.inserted == served(fixture).count)
    for isEdited in [false, true] {
      if isEdited { fixture.server.changeInvoices(count: 6, seed: 1) }
      let before = await fixture.requests()
      let report = try await sync.run()
      #expect(report.result == .complete && report.counts.hasChanges == isEdited)
      #expect(await fixture.requests() == before + 3)
    }
    try await fixture.stop()
  }

  @Test("a deleted customer is found by the count, whichever run looks first")
  func deleted() async throws {
    for pageSize in [100, 4] {
      let (fixture, sync) = try await fixture(pageSize: pageSize)
      _ = try await sync.run()
      let all = try served(fixture)
      fixture.server.deleteInvoices(count: 8)
      let rest = try served(fixture)
      #expect(rest.count < all.count)
      var options = SyncOptions()
      options.isDryRun = true
      #expect(try await sync.run(options).counts.deleted == all.count - rest.count)
      #expect(try await sync.run().counts.deleted == all.count - rest.count)
      #expect(try await stored(fixture) == rest)
      fixture.server.restoreInvoices(count: 8)
      _ = try await sync.run()
      #expect(try await stored(fixture) == all)
      try await fixture.stop()
    }
  }

  @Test("a list from which a customer vanishes while it is read is read again")
  func deletedMeanwhile() async throws {
    let (fixture, _) = try await fixture(pageSize: 4)
    let server = fixture.server
    let feed = SquareCustomersFeed(baseURL: server.url, pageSize: 4)
    let sync = fixture.contacts(feed)
    let running = sync.start()
    for await progress in running.progress {
      if case .stored(let position) = progress, position.pages == 1 {
        server.deleteInvoices(count: 8)
      }
    }
    #expect(try await running.report.result == .complete)
    _ = try await sync.run()
    #expect(try await stored(fixture) == served(fixture))
    try await fixture.stop()
  }

  @Test("a customer is a company or a person, with its own count of changes")
  func reading() throws {
    let body = """
      {"customers":[{"id":"a","given_name":"Amelia","family_name":"Earhart","version":7,
      "phone_number":"+1","email_address":"a@b.test","updated_at":"2020-04-20T10:02:43.083Z",
      "tax_ids":{"eu_vat":"IE3"}},{"id":"b","company_name":"Flights","given_name":"Bo"},
      {"company_name":"Nobody"}],"count":3}
      """
    let page = try SquareCustomersPage(Array(body.utf8))
    #expect(page.contacts.map(\.name) == ["Amelia Earhart", "Flights"])
    let first = try #require(page.contacts.first)
    #expect(first.version == 7 && first.order == 7 && first.taxNumber == "IE3")
    #expect(first.phone == "+1" && first.email == "a@b.test" && first.isCustomer == true)
    #expect(page.failures.map(\.path) == ["id"] && page.count == 3)
    #expect(throws: SyncError.self) {
      try SquareCustomersPage(Array(#"{"errors":[{"code":"X"}]}"#.utf8))
    }
  }
}

extension ChangeCounts {
  fileprivate var hasChanges: Bool { inserted + updated + deleted > 0 }
}
