import Foundation
import Models
import Networking
import Storage
import Sync
import TestSupport
import Testing

@testable import Providers
@testable import Sandbox

/// Contacts of Moneybird.
@Suite(.timeLimit(.minutes(10))) struct MoneybirdContactTests {
  private func page(_ rows: String) throws -> MoneybirdPage<MoneybirdContacts> {
    try MoneybirdPage(Array("[\(rows)]".utf8), sentAt: nil)
  }

  @Test("a contact is a company or a person, archived or not, as an invoice names it")
  func reading() throws {
    let first = """
      {"id":"1","company_name":"","firstname":"Ann","lastname":"Bos","email":"",
      "send_invoices_to_email":"ann@shop.test","phone":"020","tax_number":"NL1",
      "updated_at":"2026-08-21T13:48:36.547Z","version":1787320116,"archived":false}
      """
    let second = #"{"id":2,"company_name":"Foo","version":"7","archived":true}"#
    let read = try page(first + "," + second).records
    #expect(read.map(\.id) == ["1", "2"] && read.map(\.name) == ["Ann Bos", "Foo"])
    #expect(read.map(\.status) == [.active, .archived])
    #expect(
      read.map(\.rawStatus) == ["", "archived"] && read.map(\.version) == [1_787_320_116, 7])
    let contact = try #require(read.first)
    #expect(contact.email == "ann@shop.test" && contact.phone == "020")
    #expect(contact.taxNumber == "NL1" && contact.isCustomer == nil && contact.isSupplier == nil)
    #expect(contact.updatedAt == Timestamp("2026-08-21T13:48:36.547Z"))
    let versions = try page(#"{"id":"1","version":7},{"version":7}"#)
    #expect(versions.versions.map(\.id) == ["1"] && versions.failures.map(\.path) == ["id"])
  }

  @Test("archived contacts are asked for, and changes by their time")
  func requests() throws {
    let feed = MoneybirdFeed(
      MoneybirdContacts.self, baseURL: try #require(URL(string: "https://moneybird.test")))
    let all = try feed.request(at: MoneybirdCursor(administrationID: "123"))
    #expect(
      all.url.absoluteString
        == "https://moneybird.test/api/v2/123/contacts/synchronization.json?include_archived=true")
    let since = try feed.request(
      at: MoneybirdCursor(administrationID: "123", since: Timestamp("2026-08-21T13:50:12.5Z")))
    #expect(
      since.url.query(percentEncoded: false)
        == "include_archived=true&filter=updated_after:2026-08-21T13:50:11Z")
  }

  @Test("a contact that is no longer listed is deleted")
  func deleted() async throws {
    let fixture = try await LoopbackSync(.moneybird, invoices: 60) {
      MoneybirdFeed(MoneybirdInvoices.self, baseURL: $0.url)
    }
    let sync = fixture.contacts(MoneybirdFeed(MoneybirdContacts.self, baseURL: fixture.server.url))
    let all = try ShownContacts.moneybird(fixture.server)
    #expect(try await sync.run().counts.inserted == all.count)
    fixture.server.deleteInvoices(count: 8)
    let rest = try ShownContacts.moneybird(fixture.server)
    #expect(rest.count < all.count)
    #expect(try await sync.run().counts.deleted == all.count - rest.count)
    let stored = try await fixture.database.contacts(account: "default").map(\.id).sorted()
    #expect(stored == rest.map(\.id).sorted())
    try await fixture.stop()
  }
}
