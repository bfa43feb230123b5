import Foundation
import HTTPTypes
import Models
import Networking
import Storage
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

/// One odd row keeps no list from being read, whatever is odd about it.
@Suite(.timeLimit(.minutes(10))) struct OddRowTests {
  private static let instant = Timestamp(microsecondsSinceEpoch: 1_718_870_400_000_000)

  private let stripe = StripeCursor(
    accountID: "acct_1", onBehalfOf: nil, step: .list, since: Self.instant)

  private func list(_ rows: [String], hasMore: Bool) -> [UInt8] {
    Array(#"{"data":[\#(rows.joined(separator: ","))],"has_more":\#(hasMore)}"#.utf8)
  }

  // Edge case 51
  @Test(
    "Stripe's list continues from the row before a last row without a position",
    arguments: [
      #"{"id":"in_2","created":2,"created":2}"#, #"{"id":{},"created":2}"#, #"{"created":2}"#,
      #"{"id":"in_2","created":"soon"}"#, #"{"id":"in_2"}"#, "[]", "null",
    ])
  func lastRow(row: String) throws {
    let sound = #"{"id":"in_1","created":5,"currency":"usd","total":1,"status":"open"}"#
    let page = try StripePage<StripeInvoices>(list([sound, row], hasMore: true)).page(at: stripe)
    #expect(page.records.map(\.id) == ["in_1"] && page.failures.count == 1)
    #expect(page.next?.after == "in_1")
    #expect(page.resume.until == Timestamp(microsecondsSinceEpoch: 5_000_000))
    let last = try StripePage<StripeInvoices>(list([sound, row], hasMore: false)).page(at: stripe)
    #expect(last.next == stripe.events() && last.failures.count == 1)
    // Without any row to go on from, the rest would be lost in silence.
    #expect(throws: SyncError.self) {
      _ = try StripePage<StripeInvoices>(list([row], hasMore: true)).page(at: stripe)
    }
  }

  // Edge case 51
  @Test("an event that cannot be read is named, and the others are followed")
  func events() throws {
    let rows = [
      #"{"id":"evt_1","type":"invoice.paid","created":9,"data":{"object":{"id":"in_1"}}}"#,
      #"{"id":"evt_2","type":7,"created":8,"data":{"object":{"id":"in_2"}}}"#,
    ]
    let asked = Self.instant.adding(seconds: 60)
    let page = try StripeEvents<StripeInvoices>(list(rows, hasMore: true)).page(
      at: stripe.events(), asked: asked)
    #expect(page.unfinished == ["in_1"] && page.next?.after == "evt_1")
    #expect(page.failures.map(\.id) == ["evt_2"] && page.failures.map(\.path) == ["type"])
    #expect(throws: SyncError.self) {
      _ = try StripeEvents<StripeInvoices>(list([rows[1]], hasMore: true)).page(
        at: stripe.events(), asked: asked)
    }
  }

  // Edge case 51
  @Test("a change at QuickBooks that cannot be read is named, and the deletions beside it count")
  func deletions() throws {
    let read = try QuickBooksChanges<QuickBooksInvoices>(
      Array(
        """
        {"CDCResponse":[{"QueryResponse":[
        {"CreditMemo":[{"Id":"3","status":[]},{"status":"Deleted","Id":"4"}]},{"Invoice":null}]}],
        "time":"2015-12-23T10:00:01-07:00"}
        """.utf8), homeCurrency: nil)
    #expect(read.removals.map(\.id) == ["creditmemo/4"])
    #expect(read.failures.map(\.id) == ["creditmemo/3"])
    #expect(read.failures.map(\.path) == ["status"])
  }

  // Edge case 51
  @Test(
    "an order of Square's without a readable name costs the invoices whose order is missing",
    arguments: [#"{"id":{},"line_items":[]}"#, #"{"line_items":[]}"#, "7"])
  func orders(order: String) async throws {
    func row(_ id: String, order: String) -> String {
      """
      {"id":"\(id)","status":"PAID",\(order)"payment_requests":[{
      "computed_amount_money":{"amount":1,"currency":"EUR"}}]}
      """
    }
    let url = try #require(URL(string: "https://square.test"))
    func response(_ body: String) -> Response {
      Response(head: HTTPResponse(status: .ok), body: Array(body.utf8), url: url)
    }
    let feed = SquareFeed(baseURL: url)
    let cursor = SquareCursor(merchantID: "M", wanted: nil, locations: ["L"])
    let rows = [
      row("a", order: #""order_id":"A","#), row("b", order: #""order_id":"B","#),
      row("c", order: ""),
    ]
    let body = response(#"{"invoices":[\#(rows.joined(separator: ","))]}"#)
    let answer = response(#"{"orders":[{"id":"A","reference_id":"r"},\#(order)]}"#)
    let page = try await feed.complete(feed.page(body, at: cursor), at: cursor) { _ in answer }
    #expect(page.records.map(\.id) == ["a", "c"] && page.records.first?.reference == "r")
    #expect(page.failures.map(\.id) == ["b"])
  }
}
