import Foundation
import HTTPTypes
import Models
import Networking
import Storage
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

/// The cursor at which reading a list of Xero's continues.
@Suite(.timeLimit(.minutes(10))) struct XeroCursorTests {
  private let instant = Timestamp(microsecondsSinceEpoch: 1_700_000_000_000_000)

  @Test(
    "fewer large pages are requested concurrently",
    arguments: [(100, 4, 4), (1_000, 4, 2), (1_000, 1, 1)])
  func large(size: Int, wanted: Int, pages: Int) throws {
    let url = try #require(URL(string: "https://api.xero.com"))
    let feed = XeroFeed(XeroInvoices.self, baseURL: url, pageSize: size, maxConcurrentPages: wanted)
    #expect(feed.traits.maxConcurrentPages == pages)
  }

  @Test("lists of short records ask for a thousand at once, lists of invoices for a part of that")
  func pageSizes() throws {
    let url = try #require(URL(string: "https://api.xero.com"))
    func size<List: XeroList>(_: List.Type) throws -> [String] {
      let feed = XeroFeed(List.self, baseURL: url)
      #expect(feed.traits.maxConcurrentPages == 4)
      let request = try feed.request(at: XeroCursor(tenantID: "t", order: .byNumber))
      let items = request.url.query()?.split(separator: "&") ?? []
      return items.filter { $0.hasPrefix("pageSize=") }.map(String.init)
    }
    #expect(try size(XeroPayments.self) == ["pageSize=1000"])
    #expect(try size(XeroContacts.self) == ["pageSize=1000"])
    #expect(try size(XeroInvoices.self) == ["pageSize=250"])
    #expect(try size(XeroCreditNotes.self) == ["pageSize=250"])
  }

  @Test("unit amounts are requested with all their decimals")
  func unitAmounts() throws {
    let url = try #require(URL(string: "https://api.xero.com"))
    let feed = XeroFeed(XeroInvoices.self, baseURL: url)
    let request = try feed.request(at: XeroCursor(tenantID: "t", order: .byNumber))
    #expect(request.url.query()?.split(separator: "&").contains("unitdp=4") == true)
  }

  @Test("the total counts the rest of the list if the list is asked for from an instant")
  func totalOfRest() throws {
    let url = try #require(URL(string: "https://api.xero.com"))
    let feed = XeroFeed(XeroInvoices.self, baseURL: url)
    let body = #"{"pagination":{"pageCount":1,"itemCount":7},"Invoices":[]}"#
    let response = Response(head: HTTPResponse(status: .ok), body: Array(body.utf8), url: url)
    for since in [nil, instant] {
      let page = try feed.page(response, at: XeroCursor(tenantID: "t", since: since))
      #expect(page.total == 7)
      #expect(page.isTotalOfRest == (since != nil))
    }
  }

  @Test("a single page is the whole list, unless it is the rest of an interrupted one")
  func single() {
    let start = XeroCursor(tenantID: "t", order: .byNumber)
    #expect(start.next(after: 3, pageCount: 1, resume: start) == nil)
    let rest = XeroCursor(tenantID: "t", since: instant, order: .byNumber)
    #expect(rest.next(after: 3, pageCount: 1, resume: rest)?.order == .catchingUp)
  }

  @Test("pages advance by number until the last, then from instant to instant")
  func order() throws {
    let start = XeroCursor(tenantID: "t", order: .byNumber)
    let second = try #require(start.next(after: 100, pageCount: 2, resume: start))
    #expect(second.page == 2 && second.pageCount == 2)
    let resume = second.resumption(newest: instant)
    let rest = try #require(second.next(after: 7, pageCount: 2, resume: resume))
    #expect(rest.order == .catchingUp && rest.since == instant.adding(seconds: -1))
    #expect(rest.next(after: 1, pageCount: 1, resume: rest) == nil)
  }

  @Test("the page number advances inside an instant that fills a page")
  func ties() {
    let cursor = XeroCursor(tenantID: "t", since: instant)
    #expect(cursor.next(after: 100, pageCount: 3, resume: cursor)?.page == 2)
  }

  @Test("an instant that fills pages is read backwards too, and only then left")
  func wayBack() throws {
    let cursor = XeroCursor(tenantID: "t", since: instant)
    let newer = instant.adding(seconds: 9)
    let second = try #require(cursor.step(after: 10, pageCount: 3, newest: instant).next)
    // The second page shows something newer: what has moved to the first is met on the way back.
    let (resume, first) = second.step(after: 10, pageCount: 3, newest: newer)
    #expect(resume == cursor && first?.page == 1 && first?.isReturning == true)
    let back = try #require(first).step(after: 10, pageCount: 3, newest: instant)
    #expect(back.next == XeroCursor(tenantID: "t", since: newer.adding(seconds: -1)))
    #expect(back.resume == back.next)
  }

  @Test("an instant at the end of the list is read backwards too, and then the list has ended")
  func wayBackAtTheEnd() throws {
    let second = XeroCursor(tenantID: "t", since: instant, page: 2)
    let first = try #require(second.step(after: 3, pageCount: 2, newest: instant).next)
    #expect(first.page == 1 && first.isReturning)
    #expect(first.step(after: 10, pageCount: 2, newest: instant).next == nil)
  }

  @Test("a row dated far ahead of the server's clock hides no later change")
  func datedAhead() throws {
    let url = try #require(URL(string: "http://xero.test"))
    let feed = XeroFeed(XeroInvoices.self, baseURL: url, pageSize: 2)
    func row(_ id: String, _ instant: String) -> String {
      """
      {"Type":"ACCREC","InvoiceID":"\(id)","Status":"PAID","CurrencyCode":"EUR","Total":1.10,
      "UpdatedDateUTC":"/Date(\(instant)+0000)/"}
      """
    }
    func page(
      at cursor: XeroCursor, _ rows: String..., pages: Int
    ) throws -> Page<[Invoice], XeroCursor> {
      let body = """
        {"pagination":{"pageCount":\(pages)},"Invoices":[\(rows.joined(separator: ","))]}
        """
      // Tue, 14 Nov 2023 22:13:20 GMT is 1700000000.
      let head = HTTPResponse(
        status: .ok, headerFields: [.date: "Tue, 14 Nov 2023 22:13:20 GMT"])
      return try feed.page(Response(head: head, body: Array(body.utf8), url: url), at: cursor)
    }
    let ahead = "32503680000000"
    let start = XeroCursor(tenantID: "t", since: instant.adding(seconds: -100))
    let first = try page(
      at: start, row("a", "1699999990000"), row("b", ahead), pages: 2)
    #expect(first.resume.since == instant.adding(seconds: -11))
    // A page of nothing else leads on by its number, and back.
    let cursor = try #require(first.next)
    let second = try page(at: cursor, row("b", ahead), row("c", ahead), pages: 2)
    #expect(second.resume.since == cursor.since && second.next?.page == 2)
    let third = try page(at: #require(second.next), row("d", ahead), pages: 2)
    #expect(third.resume.since == cursor.since && third.next?.isReturning == true)
    let back = try page(at: #require(third.next), row("b", ahead), row("c", ahead), pages: 2)
    #expect(back.next == nil && back.resume.since == cursor.since)
  }
}
