import Foundation
import HTTPTypes
import Models
import Networking
import Storage
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

/// Moneybird's invoices besides sales invoices, in rows as its specification has them.
@Suite(.timeLimit(.minutes(10))) struct MoneybirdOtherInvoiceTests {
  private static func rows<List: MoneybirdList>(
    _: List.Type, _ rows: String
  ) throws -> MoneybirdPage<List> {
    try MoneybirdPage<List>(Array(rows.utf8), sentAt: nil)
  }

  private static func corpus(_ name: String) throws -> String {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try String(
      contentsOf: tests.appending(path: "Fuzzing/Corpus/\(name)/page.json"), encoding: .utf8)
  }

  @Test("an invoice of another program has the number of that program and a prefix")
  func external() throws {
    let page = try Self.rows(
      MoneybirdExternalInvoices.self, Self.corpus("moneybird-external-invoices"))
    #expect(page.failures == [])
    let invoice = try #require(page.records.first)
    #expect(invoice.id == "external/601" && invoice.number == "SHOP-17")
    #expect(invoice.type == .invoice && invoice.status == .partiallyPaid)
    #expect(invoice.reference == nil && invoice.contact.id == "51")
    #expect(invoice.issueDate?.description == "2026-08-21")
    #expect(invoice.dueDate?.description == "2026-09-04")
    #expect(invoice.total.description == "363.0" && invoice.amountDue?.description == "300.0")
    #expect(invoice.amountPaid?.description == "60.0")
    #expect(invoice.amountCredited?.description == "3.0")
    #expect(invoice.allocations.map(\.invoiceID) == ["external/602"])
    #expect(invoice.taxBreakdown.map(\.name) == ["21"] && invoice.arithmeticFindings == [])
  }

  @Test("a purchase invoice is a bill, and its payments say what is due")
  func purchase() throws {
    let page = try Self.rows(
      MoneybirdPurchaseInvoices.self, Self.corpus("moneybird-purchase-invoices"))
    #expect(page.failures == [])
    let bill = try #require(page.records.first)
    #expect(bill.id == "701" && bill.number == "2013-01234" && bill.type == .bill)
    #expect(bill.status == .partiallyPaid && bill.rawStatus == "open")
    #expect(bill.amountPaid?.description == "100.0" && bill.amountDue?.description == "243.0")
    #expect(bill.amountCredited?.description == "20.0")
    #expect(bill.allocations.map(\.invoiceID) == ["702"])
    #expect(bill.lines.first?.tracking == "Project: 5")
    #expect(bill.lines.first?.periodEnd?.description == "2026-08-31")
    #expect(bill.home.total?.description == "363.0" && bill.arithmeticFindings == [])
  }

  @Test(
    "a state says what is due of a purchase invoice, and an unknown one keeps its name",
    arguments: [
      ("open", "121.0", InvoiceStatus.open, InvoiceType.bill, "121.0"),
      ("paid", "121.0", .paid, .bill, "0"), ("late", "-121.0", .open, .billCredit, "-121.0"),
      ("pending_payment", "1.0", .open, .bill, "1.0"), ("new", "121.0", .draft, .bill, "121.0"),
      ("saved", "5.0", .unknown, .bill, "5.0"),
    ])
  func states(
    state: String, total: String, status: InvoiceStatus, type: InvoiceType, due: String
  ) throws {
    let page = try Self.rows(
      MoneybirdPurchaseInvoices.self,
      """
      [{"id":"1","state":"\(state)","currency":"EUR","total_price_incl_tax":"\(total)",
      "payments":[]}]
      """)
    let bill = try #require(page.records.first)
    #expect(bill.status == status && bill.type == type && bill.rawStatus == state)
    #expect(bill.amountDue?.description == due)
  }

  @Test("a document that nobody has entered yet is a draft without amounts; any other has a total")
  func unentered() throws {
    func row(_ state: String) -> String {
      #"[{"id":"1","state":"\#(state)","currency":"EUR","total_price_incl_tax":null}]"#
    }
    let page = try Self.rows(MoneybirdPurchaseInvoices.self, row("new"))
    #expect(page.records.map(\.status) == [.draft] && page.records.map(\.total) == [.zero])
    let failures = try Self.rows(MoneybirdPurchaseInvoices.self, row("open")).failures
    #expect(failures.map(\.path) == ["total_price_incl_tax"])
    let others = try Self.rows(MoneybirdExternalInvoices.self, row("open")).failures
    #expect(others.map(\.id) == ["external/1"])
  }

  @Test("the versions of invoices of other programs are requested without a filter by change")
  func requests() throws {
    let url = try #require(URL(string: "https://moneybird.test"))
    let feed = MoneybirdFeed(MoneybirdExternalInvoices.self, baseURL: url)
    let cursor = MoneybirdCursor(
      administrationID: "123", since: Timestamp("2026-08-21T13:50:12.5Z"))
    let request = try feed.request(at: cursor)
    #expect(request.url.path() == "/api/v2/123/external_sales_invoices/synchronization.json")
    #expect(
      request.url.query(percentEncoded: false) == "filter=state:all,period:19000101..99991231")
    let batch = try feed.request(for: ["external/1", "external/22"], at: cursor)
    #expect(batch.body?.bytes.map { String(decoding: $0, as: UTF8.self) } == #"{"ids":["1","22"]}"#)
    let purchases = MoneybirdFeed(MoneybirdPurchaseInvoices.self, baseURL: url)
    let changes = try purchases.request(at: cursor).url
    #expect(changes.path() == "/api/v2/123/documents/purchase_invoices/synchronization.json")
    #expect(
      changes.query(percentEncoded: false)?.hasSuffix("updated_after:2026-08-21T13:50:11Z") == true)
  }
}
