import Foundation
import HTTPTypes
import Models
import Networking
import Storage
import TestSupport
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

/// Square's invoices and orders, in replies as its documentation has them.
@Suite(.timeLimit(.minutes(10))) struct SquareTests {
  private static let cursor = SquareCursor(merchantID: "M1", wanted: nil, locations: ["L1", "L2"])

  private static func feed(_ location: String? = nil) throws -> SquareFeed {
    SquareFeed(
      baseURL: try #require(URL(string: "https://square.test")), locationID: location)
  }

  private static func response(_ body: String, status: Int = 200) throws -> Response {
    Response(
      head: HTTPResponse(status: .init(code: status)), body: Array(body.utf8),
      url: try #require(URL(string: "https://square.test/")))
  }

  private static func page(
    _ body: String, orders: String = "{}"
  ) async throws -> Page<[Invoice], SquareCursor> {
    let answer = try response(orders)
    let feed = try feed()
    return try await feed.complete(feed.page(try response(body), at: cursor), at: cursor) { _ in
      answer
    }
  }

  @Test("an invoice is read with its order, every amount by the currency's smallest unit")
  func fields() async throws {
    let page = try await Self.page(SquareSamples.page, orders: SquareSamples.orders)
    #expect(page.failures == [])
    let invoice = try #require(page.records.first)
    #expect(invoice.id == "inv:0-ChC366" && invoice.number == "inv-455" && invoice.version == 3)
    #expect(invoice.status == .partiallyPaid && invoice.rawStatus == "PARTIALLY_PAID")
    #expect(
      invoice.contact
        == Party(
          id: "JDKYHBWT", name: "Amelia Earhart", email: "amelia@flights.test",
          taxNumber: "IE3426675K",
          address: PostalAddress(
            lines: ["500 Electric Ave", "Suite 7"], city: "New York", postalCode: "10003",
            region: "NY", country: "US")))
    // Where the seller is, it was still the day before.
    #expect(invoice.issueDate?.description == "2030-01-12")
    #expect(invoice.dueDate?.description == "2030-06-15")
    #expect(invoice.updatedAt?.description == "2030-01-13T21:24:10.123Z")
    #expect(invoice.total.description == "40.00" && invoice.totalTax?.description == "3.00")
    #expect(invoice.subtotal?.description == "37.00" && invoice.chargeTotal?.description == "2.00")
    #expect(invoice.amountPaid?.description == "10.01")
    #expect(invoice.roundingAmount?.description == "0.01")
    #expect(invoice.amountDue?.description == "30.00" && invoice.reference == "PO 7")
    #expect(invoice.linesIncludeTax == false && invoice.arithmeticFindings == [])
    #expect(invoice.lines.map(\.description) == ["Flight, Return", "Luggage"])
    #expect(invoice.lines.map(\.quantity?.description) == ["2", "0.5"])
    #expect(invoice.lines.map(\.unitAmount?.description) == ["15.99", "10.00"])
    #expect(invoice.lines.map(\.lineAmount?.description) == ["30.00", "5.00"])
    #expect(invoice.lines.map(\.taxAmount?.description) == ["3.00", "0.00"])
    #expect(invoice.lines.map(\.taxRate?.description) == ["10.0", nil])
    #expect(invoice.lines.first?.discountAmount?.description == "1.98")
    #expect(invoice.taxBreakdown.map(\.taxAmount.description) == ["3.00"])
    let payment = try #require(invoice.payments.first)
    #expect(payment.id == "pay-1" && payment.amount.description == "10.01")
    #expect(payment.date?.description == "2030-01-14" && payment.method == "CARD")
    let charges = invoice.allowancesAndCharges
    #expect(charges.map(\.id) == ["s1", "s2"] && charges.allSatisfy(\.isCharge))
    #expect(charges.map(\.amount.description) == ["1.50", "0.50"])
    #expect(charges.map(\.reason) == ["Delivery", nil])
    #expect(invoice.attachments.map(\.fileName) == ["file.jpg"])
    #expect(page.next == Self.cursor.next(pageToken: "next+/=") && page.resume == page.next)
  }

  private static func partlyRefunded(next: String) -> String {
    """
    {"invoices":[{"id":"1","status":"PARTIALLY_REFUNDED","payment_requests":[{
    "computed_amount_money":{"amount":10000,"currency":"USD"},
    "total_completed_amount_money":{"amount":6000,"currency":"USD"}}]\(next)}]}
    """
  }

  @Test("an invoice that was refunded in part is due as Square says, and paid if nothing is")
  func partlyRefunded() async throws {
    let next = #","next_payment_amount_money":{"amount":4000,"currency":"USD"}"#
    let open = try #require(
      try await Self.page(Self.partlyRefunded(next: next)).records.first)
    #expect(open.status == .partiallyPaid && open.amountDue?.description == "40.00")
    #expect(open.amountPaid?.description == "60.00" && open.arithmeticFindings.isEmpty)
    for next in ["", next.replacing("4000", with: "0")] {
      let paid = try #require(
        try await Self.page(Self.partlyRefunded(next: next)).records.first)
      #expect(paid.status == .paid && paid.amountDue?.isZero == true)
    }
  }

  @Test("a charge that is apportioned to the lines does not count twice")
  func apportioned() async throws {
    let page = try await Self.page(
      """
      {"invoices":[{"id":"1","status":"UNPAID","order_id":"o","payment_requests":[{
      "computed_amount_money":{"amount":1350,"currency":"USD"}}]}]}
      """,
      orders: """
        {"orders":[{"id":"o","line_items":[{"quantity":"1","name":"Meal",
        "base_price_money":{"amount":1000,"currency":"USD"},
        "total_service_charge_money":{"amount":200,"currency":"USD"},
        "total_tax_money":{"amount":0,"currency":"USD"},
        "total_money":{"amount":1200,"currency":"USD"}}],
        "service_charges":[
        {"uid":"a","treatment_type":"APPORTIONED_TREATMENT",
        "applied_money":{"amount":120,"currency":"USD"}},
        {"uid":"b","calculation_phase":"APPORTIONED_AMOUNT_PHASE",
        "applied_money":{"amount":80,"currency":"USD"}},
        {"uid":"c","treatment_type":"LINE_ITEM_TREATMENT","calculation_phase":"SUBTOTAL_PHASE",
        "applied_money":{"amount":150,"currency":"USD"}}],
        "total_service_charge_money":{"amount":350,"currency":"USD"},
        "total_tax_money":{"amount":0,"currency":"USD"}}]}
        """)
    let invoice = try #require(page.records.first)
    #expect(invoice.chargeTotal?.description == "1.50" && invoice.arithmeticFindings.isEmpty)
    #expect(invoice.allowancesAndCharges.map(\.id) == ["c"])
    #expect(invoice.lines.map(\.lineAmount?.description) == ["12.00"])
  }

  @Test("a draft without computed amounts takes its total from its order, and fails without one")
  func draft() async throws {
    func page(_ orders: String) async throws -> Page<[Invoice], SquareCursor> {
      try await Self.page(
        """
        {"invoices":[{"id":"1","status":"DRAFT","order_id":"o",
        "payment_requests":[{"request_type":"BALANCE","due_date":"2030-01-23"}]}]}
        """, orders: orders)
    }
    let read = try await page(
      """
      {"orders":[{"id":"o","total_money":{"amount":1250,"currency":"EUR"},
      "total_tip_money":{"amount":50,"currency":"EUR"}}]}
      """)
    let invoice = try #require(read.records.first)
    #expect(invoice.total.description == "12.00" && invoice.currency.code == "EUR")
    #expect(invoice.amountDue?.description == "12.00" && invoice.status == .draft)
    for orders in ["{}", #"{"orders":[{"id":"o"}]}"#] {
      let failed = try await page(orders)
      #expect(failed.records.isEmpty && failed.failures.map(\.path) == ["payment_requests"])
    }
  }

  @Test("the day of a payment is that of the location, and a configured time zone counts for all")
  func days() async throws {
    let cursor = SquareCursor(
      merchantID: "M1", wanted: nil, locations: ["L1"], timeZones: ["L1": "America/Los_Angeles"])
    let orders = SquareSamples.orders.replacing(
      "2030-01-14T10:00:00Z", with: "2030-01-14T02:00:00Z")
    func read(_ zone: String?) async throws -> Invoice {
      let feed = SquareFeed(
        baseURL: try #require(URL(string: "https://square.test")), timeZone: zone)
      let answer = try Self.response(orders)
      let page = try feed.page(Self.response(SquareSamples.page), at: cursor)
      return try #require(
        try await feed.complete(page, at: cursor) { _ in answer }.records.first)
    }
    let own = try await read(nil)
    #expect(own.issueDate?.description == "2030-01-12")
    #expect(own.payments.map { $0.date?.description } == ["2030-01-13"])
    let configured = try await read("Europe/Berlin")
    #expect(configured.issueDate?.description == "2030-01-13")
    #expect(configured.payments.map { $0.date?.description } == ["2030-01-14"])
  }

  @Test("a refund that was made is a payment below zero, and no other is")
  func refunds() async throws {
    let refunds = ["APPROVED", "PENDING", "REJECTED", "FAILED"].enumerated().map { number, status in
      """
      {"id":"r\(number)","location_id":"L1","tender_id":"t","created_at":"2030-01-15T10:00:00Z",
       "reason":"Rain","amount_money":{"amount":20\(number),"currency":"USD"},"status":"\(status)"}
      """
    }
    let orders = SquareSamples.orders.replacing(
      #""tenders": ["#, with: #""refunds": [\#(refunds.joined(separator: ","))], "tenders": ["#)
    let feed = SquareFeed(baseURL: try #require(URL(string: "https://square.test")))
    let answer = try Self.response(orders)
    let page = try feed.page(Self.response(SquareSamples.page), at: Self.cursor)
    let read = try #require(
      try await feed.complete(page, at: Self.cursor) { _ in answer }.records.first)
    #expect(read.payments.map(\.id) == ["pay-1", "r0"])
    #expect(read.payments.map(\.amount.description) == ["10.01", "-2.00"])
    #expect(read.payments.last?.date?.description == "2030-01-15")
    #expect(read.payments.last?.reference == "Rain")
  }

  @Test("a currency's own number of decimals counts, and prices may hold their tax")
  func currencies() async throws {
    for (code, total) in [("JPY", "1234"), ("TND", "1.234"), ("USD", "12.34")] {
      let page = try await Self.page(
        """
        {"invoices":[{"id":"1","status":"PAID","order_id":"o","payment_requests":[{
        "computed_amount_money":{"amount":1234,"currency":"\(code)"}}]}]}
        """,
        orders: """
          {"orders":[{"id":"o","line_items":[{"total_money":{"amount":1234,"currency":"\(code)"},
          "total_tax_money":{"amount":34,"currency":"\(code)"}}],
          "taxes":[{"uid":"t","type":"INCLUSIVE"}]}]}
          """)
      let invoice = try #require(page.records.first)
      #expect(invoice.total.description == total && invoice.linesIncludeTax == true)
      #expect(invoice.lines.first?.lineAmount?.description == total)
      #expect(invoice.arithmeticFindings == [] && invoice.amountDue?.description == total)
    }
  }

  @Test(
    "each status is known, and decides the amount due",
    arguments: [
      ("DRAFT", InvoiceStatus.draft, "7.50"), ("UNPAID", .open, "7.50"),
      ("SCHEDULED", .scheduled, "7.50"), ("PARTIALLY_PAID", .partiallyPaid, "7.50"),
      ("PAID", .paid, "7.50"), ("PARTIALLY_REFUNDED", .paid, "0"), ("REFUNDED", .refunded, "0"),
      ("CANCELED", .void, "0"), ("FAILED", .void, "0"), ("PAYMENT_PENDING", .open, "7.50"),
      ("NEWER", .unknown, "7.50"),
    ])
  func statuses(word: String, status: InvoiceStatus, due: String) async throws {
    let page = try await Self.page(
      """
      {"invoices":[{"id":"1","status":"\(word)","payment_requests":[{
      "computed_amount_money":{"amount":1000,"currency":"EUR"},
      "total_completed_amount_money":{"amount":250,"currency":"EUR"}}]}]}
      """)
    let invoice = try #require(page.records.first)
    #expect(invoice.status == status && invoice.rawStatus == word)
    #expect(invoice.amountDue?.description == due)
  }

  // Edge case 51
  @Test("an invoice without a readable total fails with its name and path")
  func failures() async throws {
    func money(_ text: String) -> String {
      #""payment_requests":[{"computed_amount_money":\#(text)}]"#
    }
    let page = try await Self.page(
      """
      {"invoices":[
      {"id":"a","status":"PAID",\(money(#"{"amount":12.5,"currency":"EUR"}"#))},
      {"id":"b","status":"PAID",\(money(#"{"amount":"12","currency":"EUR"}"#))},
      {"id":"c","status":"PAID",\(money(#"{"currency":"EUR"}"#))},
      {"id":"d","status":"PAID"},
      {"id":"e",\(money(#"{"amount":1,"currency":"EUR"}"#))},
      {"id":"f","status":"PAID","order_id":"o",\(money(#"{"amount":1,"currency":"EUR"}"#))},
      {"id":"g","status":"PAID",
      "payment_requests":[{"computed_amount_money":{"amount":1,"currency":"EUR"}},
      {"computed_amount_money":{"amount":1,"currency":"USD"}}]},
      {"id":"i","status":"PAID",\(money(#"{"amount":9223372036854775808,"currency":"EUR"}"#))},
      {"id":"j","status":"PAID","payment_requests":[
      {"computed_amount_money":{"amount":1,"currency":"EUR"},
      "total_completed_amount_money":{"amount":1,"currency":"EUR"}},
      {"computed_amount_money":{"amount":1,"currency":"EUR"},
      "total_completed_amount_money":{"amount":1,"currency":"USD"}}]},
      {"id":"h","status":"PAID","order_id":"gone",
      \(money(#"{"amount":90071992547409931,"currency":"EUR"}"#))}
      ]}
      """, orders: #"{"orders":[{"id":"o","line_items":[{},{"quantity":"many"}]}]}"#)
    #expect(page.records.map(\.id) == ["b", "e", "f", "h"])
    #expect(
      page.records.map(\.total.description) == ["0.12", "0.01", "0.01", "900719925474099.31"])
    let paths = Dictionary(
      uniqueKeysWithValues: page.failures.map { ($0.id ?? "", $0.path) })
    #expect(
      paths == [
        "a": "payment_requests[0].computed_amount_money",
        "c": "payment_requests", "d": "payment_requests", "g": "payment_requests",
        "i": "payment_requests[0].computed_amount_money", "j": "payment_requests",
      ])
  }

  @Test("a page without invoices is an empty object, and one with errors is none")
  func empty() async throws {
    let page = try await Self.page("{}")
    #expect(page.records == [] && page.next == Self.cursor.next(pageToken: nil))
    #expect(try await Self.page(#"{"cursor":""}"#).next?.location == "L2")
    await #expect(throws: SyncError.self) {
      _ = try await Self.page(#"{"errors":[{"code":"INTERNAL_SERVER_ERROR"}]}"#)
    }
  }

  @Test("a forgotten cursor restarts the list; another refusal does not")
  func expired() throws {
    let feed = try Self.feed()
    for body in [
      #"{"errors":[{"category":"INVALID_REQUEST_ERROR","code":"INVALID_CURSOR"}]}"#,
      #"{"errors":[{"code":"INVALID_VALUE","field":"cursor"}]}"#,
    ] {
      let response = try Self.response(body, status: 400)
      #expect(throws: CursorExpired.self) { _ = try feed.failure(in: response) }
    }
    let other = #"{"errors":[{"code":"INVALID_VALUE","field":"limit"}]}"#
    #expect(try feed.failure(in: Self.response(other, status: 400)) == nil)
    #expect(try feed.failure(in: Self.response("<html>", status: 400)) == nil)
    #expect(try feed.failure(in: Self.response(other, status: 401)) == nil)
  }

  @Test("requests name the version, the location and the cursor with all its characters")
  func requests() throws {
    let feed = try Self.feed()
    let cursor = try #require(Self.cursor.next(pageToken: "a+b/c=="))
    let request = try feed.request(at: cursor)
    #expect(request.head.path == "/v2/invoices?location_id=L1&limit=200&cursor=a%2Bb/c%3D%3D")
    #expect(request.fields[try #require(HTTPField.Name("Square-Version"))] == "2025-08-20")
  }

  @Test("locations are read one after the other, and pages of one before the next")
  func places() async throws {
    let feed = try Self.feed()
    #expect(Self.cursor.location == "L1" && feed.source(of: Self.cursor) == "square:M1")
    let second = try #require(Self.cursor.next(pageToken: "x"))
    #expect(second.location == "L1" && second.pageToken == "x")
    let other = try #require(second.next(pageToken: nil))
    #expect(other.location == "L2" && other.pageToken == nil)
    #expect(other.next(pageToken: nil) == nil)
    // One of them had two pages.
    func count(at cursor: SquareCursor) async throws -> ListCount {
      try await feed.count(at: cursor) { _ in try Self.response("{}") }
    }
    #expect(try await count(at: other) == .unknown)
    #expect(try await count(at: feed.exhaustive(other)) == .notNeeded)
    let single = try #require(Self.cursor.next(pageToken: nil))
    #expect(try await count(at: single) == .notNeeded)
  }

  @Test("all locations are read, or the one that is named")
  func locations() async throws {
    for (wanted, found) in [(nil, ["L1", "L2"]), ("L2", ["L2"]), ("L9", nil)]
      as [(String?, [String]?)]
    {
      let replies = WrittenReplies { _, _ in .init(SquareSamples.locations) }
      let session = Session(
        name: "list", configuration: SessionConfiguration(), middleware: [replies],
        logger: .silent)
      let feed = try Self.feed(wanted)
      if let found {
        let cursor = try await feed.begin(.everything(known: nil), ask: session.ask(for: feed))
        #expect(cursor.locations == found)
        #expect(feed.source(of: cursor) == "square:M1" + (wanted.map { "/" + $0 } ?? ""))
      } else {
        await #expect(throws: SyncError.self) {
          _ = try await feed.begin(.everything(known: nil), ask: session.ask(for: feed))
        }
      }
      await session.shutdown()
    }
  }

  @Test("orders that come with errors are not taken for all of them")
  func ordersWithErrors() throws {
    var orders = SquareOrders()
    try orders.add(Array(#"{"orders":[]}"#.utf8))
    #expect(throws: SyncError.self) {
      try orders.add(
        Array(#"{"orders":[],"errors":[{"category":"API_ERROR","code":"INTERNAL"}]}"#.utf8))
    }
  }
}
