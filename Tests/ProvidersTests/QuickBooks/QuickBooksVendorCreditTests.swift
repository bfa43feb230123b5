import Foundation
import Models
import Networking
import Storage
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

/// Vendor credits, and what an invoice says of payments, after QuickBooks' documentation.
@Suite(.timeLimit(.minutes(10))) struct QuickBooksVendorCreditTests {
  private static let credit = """
    {"VendorRef":{"name":"Books by Bessie","value":"30"},"TxnDate":"2014-12-23",
     "domain":"QBO","APAccountRef":{"name":"Accounts Payable (A/P)","value":"33"},"sparse":false,
     "Id":"255","SyncToken":"0","CurrencyRef":{"name":"United States Dollar","value":"USD"},
     "Line":[{"DetailType":"AccountBasedExpenseLineDetail","Amount":90.0,"Id":"1",
       "ProjectRef":{"value":"39298034"},"AccountBasedExpenseLineDetail":{
        "TaxCodeRef":{"value":"TAX"},"AccountRef":{"name":"Bank Charges","value":"8"},
        "BillableStatus":"Billable","CustomerRef":{"name":"Amy's Bird Sanctuary","value":"1"}}}],
     "Balance":40.00,"TotalAmt":90.00,
     "MetaData":{"CreateTime":"2014-12-23T10:41:24-08:00","LastUpdatedTime":"2014-12-23T10:41:24-08:00"}}
    """

  private static func answer(_ kind: String, _ rows: String...) -> String {
    #"{"QueryResponse":{"\#(kind)":[\#(rows.joined(separator: ","))]},"time":"2015-01-02T00:00:00Z"}"#
  }

  @Test("a vendor credit is money to be refunded, under an identifier of its own")
  func fields() throws {
    let body = Array(Self.answer("VendorCredit", Self.credit, #"{"Id":"9"}"#).utf8)
    let page = try QuickBooksPage<QuickBooksInvoices>(body, of: .vendorCredit, homeCurrency: nil)
    let read = try #require(page.records.first)
    #expect(read.id == "vendorcredit/255" && read.type == .billCredit)
    #expect(read.contact == Party(id: "vendor/30", name: "Books by Bessie"))
    #expect(read.status == .partiallyPaid && read.issueDate == CalendarDate("2014-12-23"))
    #expect(read.total.description == "90.00" && read.amountDue?.description == "40.00")
    #expect(read.lines.map(\.lineAmount) == [ExactDecimal("90.0")])
    #expect(read.lines.first?.accountCode == "8" && read.lines.first?.taxType == "TAX")
    #expect(page.failures.map(\.id) == ["vendorcredit/9"])
  }

  @Test("a deposit is a payment, and a linked payment without an amount is not")
  func deposit() throws {
    func payments(_ fields: String) throws -> Invoice {
      let row = """
        {"Id":"1","MetaData":{"LastUpdatedTime":"2015-01-01T00:00:00Z"},"TotalAmt":100.00,
         "Balance":70.00,"CurrencyRef":{"value":"USD"},
         "LinkedTxn":[{"TxnId":"70","TxnType":"Payment"}]\(fields)}
        """
      let body = Array(Self.answer("Invoice", row).utf8)
      return try #require(
        QuickBooksPage<QuickBooksInvoices>(body, of: .invoice, homeCurrency: nil).records.first)
    }
    let paid = try payments(#","Deposit":10.00,"DepositToAccountRef":{"value":"4"}"#)
    #expect(paid.payments.map(\.amount.description) == ["10.00"])
    // The company says what is due, and never what was paid.
    #expect(paid.amountPaid == nil && paid.amountDue?.description == "70.00")
    #expect(try payments(#","Deposit":0"#).payments.isEmpty && payments("").payments.isEmpty)
  }

  @Test("a cursor of an earlier version has no vendor credits, so they are read from the first")
  func earlierCursor() throws {
    let stored = """
      {"realmID":"1","homeCurrency":"USD","readsChanges":true,"step":{"list":{"_0":"Invoice"}},
       "newest":{"Invoice":"2015-01-01T00:00:00Z","CreditMemo":"2015-01-01T00:00:00Z",
        "Bill":"2015-01-01T00:00:00Z"},"position":1,"usedPositions":false,"isSecondReading":false,
       "changesKnownUntil":"2015-01-01T00:00:00Z"}
      """
    let cursor = try JSONDecoder().decode(QuickBooksCursor.self, from: Data(stored.utf8))
    let feed = QuickBooksFeed(
      QuickBooksInvoices.self, baseURL: try #require(URL(string: "http://qb.test")), realmID: "1",
      pageSize: 2)
    let kinds = QuickBooksInvoices.kinds
    func query(_ kind: QuickBooksKind) throws -> String {
      var cursor = cursor.changes(of: kinds)
      cursor.step = .list(kind)
      return try #require(feed.request(at: cursor).url.query(percentEncoded: false))
    }
    for kind in [QuickBooksKind.invoice, .creditMemo, .bill] {
      #expect(try query(kind).contains("LastUpdatedTime >= '2014-12-31T23:59:00Z'"))
    }
    #expect(try query(.vendorCredit).contains("select * from VendorCredit orderby"))
    #expect(
      cursor.changes(of: kinds).next(of: .bill, among: kinds, after: 0, of: 2, resume: cursor)?.step
        == .list(.vendorCredit))
    #expect(
      cursor.next(of: .vendorCredit, among: kinds, after: 0, of: 2, resume: cursor)?.step
        == .changes)
  }

  @Test("vendor credits are fetched after the bills, and their deletions noted")
  func sync() async throws {
    let server = AnsweringServer { path, query in
      let text = query["query"] ?? ""
      if path.hasSuffix("cdc") {
        let isAsked = query["entities"] == "Invoice,CreditMemo,Bill,VendorCredit"
        let gone = #"{"VendorCredit":[{"domain":"QBO","status":"Deleted","Id":"255"}]}"#
        return (
          200,
          #"{"CDCResponse":[{"QueryResponse":[\#(isAsked ? gone : "{}")]}],"time":"2015-01-03T00:00:00Z"}"#
        )
      }
      if text.contains("Preferences") { return (200, Self.answer("Preferences")) }
      return (
        200,
        text.contains("from VendorCredit") && !text.contains("where")
          ? Self.answer("VendorCredit", Self.credit) : Self.answer("Bill")
      )
    }
    let feed = QuickBooksFeed(
      QuickBooksInvoices.self, baseURL: try Response.canned(200, "").url, realmID: "1")
    try await server.run(feed) { sync, database in
      #expect(try await sync.run().counts.inserted == 1)
      #expect(try await sync.run().counts.deleted == 1)
      let stored = try await database.invoice("vendorcredit/255", account: nil)
      #expect(stored?.deletedReason == "status Deleted" && stored?.invoice.type == .billCredit)
    }
  }
}
