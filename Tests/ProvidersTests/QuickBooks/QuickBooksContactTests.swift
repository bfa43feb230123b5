import Foundation
import Models
import Networking
import Storage
import Sync
import TestSupport
import Testing

@testable import Providers

/// Customers and vendors of QuickBooks.
@Suite(.timeLimit(.minutes(10))) struct QuickBooksContactTests {
  private static let time = #""time":"2015-12-23T10:00:01-07:00""#
  private static let update = #""MetaData":{"LastUpdatedTime":"2014-09-18T12:56:01-07:00"}"#

  private func read(_ row: String, _ kind: QuickBooksKind) throws -> Contact {
    let body = #"{"QueryResponse":{"\#(kind.rawValue)":[\#(row)]},\#(Self.time)}"#
    let page = try QuickBooksPage<QuickBooksContacts>(
      Array(body.utf8), of: kind, homeCurrency: nil)
    return try #require(page.records.first, "\(page.failures)")
  }

  @Test("a customer has its name, its addresses and the tax number of its country")
  func customer() throws {
    let read = try read(
      """
      {"Id":"1","DisplayName":"Amy's","CompanyName":"Other","Active":true,\(Self.update),
       "PrimaryEmailAddr":{"Address":"amy@books.test"},"PrimaryPhone":{"FreeFormNumber":"555"},
       "Mobile":{"FreeFormNumber":"1"},"PrimaryTaxIdentifier":"XXXXX56789","BusinessNumber":"7"}
      """, .customer)
    var expected = Contact(id: "1", status: .active, rawStatus: "")
    expected.name = "Amy's"
    expected.email = "amy@books.test"
    expected.phone = "555"
    expected.taxNumber = "XXXXX56789"
    (expected.isCustomer, expected.isSupplier) = (true, false)
    expected.updatedAt = Timestamp("2014-09-18T19:56:01Z")
    #expect(read == expected)
  }

  @Test("a vendor is a supplier with an identifier of its own, archived once it is inactive")
  func vendor() throws {
    let read = try read(
      #"{"Id":"1","Active":false,"TaxIdentifier":"9","GSTIN":"24A","Mobile":{"FreeFormNumber":"3"},"#
        + Self.update + "}", .vendor)
    #expect(read.id == "vendor/1" && read.isSupplier == true && read.isCustomer == false)
    #expect(read.status == .archived && read.rawStatus == "Inactive")
    #expect(read.taxNumber == "24A" && read.phone == "3")
  }

  @Test("queries for customers and vendors ask for inactive ones, and for what has changed")
  func queries() throws {
    let feed = QuickBooksFeed(
      QuickBooksContacts.self, baseURL: try Response.canned(200, "").url, realmID: "1",
      pageSize: 5)
    var cursor = QuickBooksCursor(
      realmID: "1", homeCurrency: nil, changesKnownUntil: Timestamp(microsecondsSinceEpoch: 0),
      kinds: QuickBooksContacts.kinds)
    func query() throws -> String {
      let items = URLComponents(
        url: try feed.request(at: cursor).url, resolvingAgainstBaseURL: true)?.queryItems
      return items?.first { ["query", "entities"].contains($0.name) }?.value ?? ""
    }
    #expect(
      try query() == "select * from Customer where Active in (true, false) "
        + "orderby MetaData.LastUpdatedTime startposition 1 maxresults 5")
    cursor.step = .list(.vendor)
    cursor.newest["Vendor"] = Timestamp("2015-01-02T03:04:05.6Z")
    #expect(
      try query() == "select * from Vendor where Active in (true, false) and "
        + "MetaData.LastUpdatedTime >= '2015-01-02T03:04:05Z' "
        + "orderby MetaData.LastUpdatedTime startposition 1 maxresults 5")
    cursor.step = .changes
    #expect(try query() == "Customer,Vendor")
    let count = String(decoding: QuickBooksCount.request(of: [.customer, .bill]), as: UTF8.self)
    #expect(count.contains("select count(*) from Customer where Active in (true, false)"))
    #expect(count.contains(#""select count(*) from Bill""#))
  }

  @Test("a customer that was merged into another is removed, and a bill names its vendor's id")
  func merged() async throws {
    let server = AnsweringServer { path, query in
      let text = query["query"] ?? ""
      let row = #"{"Id":"1","DisplayName":"Both",\#(Self.update)}"#
      if path.hasSuffix("cdc") {
        let gone = #"{"Customer":[{"status":"Deleted","Id":"1"}]}"#
        return (200, #"{"CDCResponse":[{"QueryResponse":[\#(gone)]}],\#(Self.time)}"#)
      }
      for kind in ["Customer", "Vendor", "Preferences"] where text.contains("from " + kind) {
        let isChange = text.contains("LastUpdatedTime >=")
        let rows = kind == "Preferences" ? "{}" : isChange ? "" : row
        return (200, #"{"QueryResponse":{"\#(kind)":[\#(rows)]},\#(Self.time)}"#)
      }
      return (400, "{}")
    }
    let url = try Response.canned(200, "").url
    let feed = QuickBooksFeed(QuickBooksContacts.self, baseURL: url, realmID: "1")
    try await server.runContacts(feed) { sync, database in
      let first = try await sync.run()
      #expect(first.counts.inserted == 2)
      #expect(try await sync.run().counts.deleted == 1)
      #expect(try await database.contacts(account: "default").map(\.id) == ["vendor/1"])
    }
    let bill = """
      {"QueryResponse":{"Bill":[{"Id":"9","TotalAmt":1,"CurrencyRef":{"value":"USD"},
      "VendorRef":{"value":"1","name":"Both"},\(Self.update)}]},\(Self.time)}
      """
    let page = try QuickBooksPage<QuickBooksInvoices>(
      Array(bill.utf8), of: .bill, homeCurrency: nil)
    #expect(page.records.first?.contact.id == "vendor/1")
  }
}
