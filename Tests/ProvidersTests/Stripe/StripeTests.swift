import Foundation
import Models
import Networking
import Storage
import TestSupport
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

/// The answers of Stripe, after its documentation.
@Suite(.timeLimit(.minutes(10))) struct StripeTests {
  static let invoice = """
    {"id":"in_1","object":"invoice","account_country":"DE","account_name":"Us GmbH",
     "account_tax_ids":["txi_1"],"customer_address":{"city":"London","country":"GB",
      "line1":"1 Road","line2":null,"postal_code":"N1","state":""},
     "shipping_cost":{"amount_subtotal":12,"amount_tax":2,"amount_total":14,"shipping_rate":"shr_1"},
     "amount_due":1099,"amount_paid":99,"amount_remaining":1000,
     "created":1718870400,"currency":"eur","customer":"cus_1","customer_email":"a@example.com",
     "customer_name":"Ada","customer_tax_ids":[{"type":"eu_vat","value":"DE123"}],
     "due_date":1721433600,"effective_at":null,
     "lines":{"object":"list","data":[
       {"id":"il_1","amount":1000,"currency":"eur","description":"Seat","quantity":4,
        "price":{"id":"price_1","unit_amount":null,"unit_amount_decimal":"250.0005"},
        "tax_amounts":[{"amount":90,"inclusive":false,"tax_rate":"txr_1"},
          {"amount":100,"inclusive":false,"tax_rate":"txr_2"}]},
       {"id":"il_2","amount":-91,"description":null,"quantity":null,"price":null}],
      "has_more":false,"total_count":2,"url":"/v1/invoices/in_1/lines"},
     "number":"ABC-0001","period_end":1718870400,"period_start":1716192000,
     "pre_payment_credit_notes_amount":0,"status":"open",
     "status_transitions":{"finalized_at":1718874000,"paid_at":null},"subtotal":909,"tax":190,
     "total":1099,"total_discount_amounts":[{"amount":5,"discount":"di_1"},{"amount":7}],
     "total_excluding_tax":909,"total_tax_amounts":[{"amount":190,"inclusive":false,
       "tax_rate":{"id":"txr_1","object":"tax_rate","display_name":"VAT","percentage":19.0},
       "taxable_amount":1000}]}
    """

  private func list(_ rows: String..., hasMore: Bool = false) -> [UInt8] {
    Array(
      #"{"object":"list","data":[\#(rows.joined(separator: ","))],"has_more":\#(hasMore)}"#.utf8)
  }

  private let cursor = StripeCursor(
    accountID: "acct_1", onBehalfOf: nil, step: .list,
    since: Timestamp(microsecondsSinceEpoch: 1_718_870_400_000_000))

  @Test("every field of an invoice is read, amounts in the currency's own unit")
  func fields() throws {
    let read = try #require(
      try StripePage<StripeInvoices>(list(Self.invoice)).page(at: cursor).records.first)
    #expect(read.id == "in_1" && read.number == "ABC-0001" && read.type == .invoice)
    #expect(read.status == .partiallyPaid && read.rawStatus == "open")
    let party = Party(
      id: "cus_1", name: "Ada", email: "a@example.com", taxNumber: "DE123",
      address: PostalAddress(lines: ["1 Road"], city: "London", postalCode: "N1", country: "GB"))
    #expect(read.contact == party && read.currency.code == "EUR")
    #expect(read.ownParty == Party(name: "Us GmbH", address: PostalAddress(country: "DE")))
    #expect(read.issueDate == CalendarDate("2024-06-20"))
    #expect(read.dueDate == CalendarDate("2024-07-20") && read.updatedAt == nil)
    // The lines have no period, and the invoice's own is another.
    #expect(read.periodStart == nil && read.periodEnd == nil && read.payments.map(\.date) == [nil])
    #expect(read.total.description == "10.99" && read.subtotal?.description == "9.09")
    #expect(read.totalTax?.description == "1.90" && read.amountPaid?.description == "0.99")
    #expect(read.amountDue?.description == "10.00" && read.allowanceTotal?.description == "0.12")
    #expect(read.allowancesAndCharges.map(\.id) == ["di_1", nil, nil])
    #expect(read.allowancesAndCharges.map(\.amount.description) == ["0.05", "0.07", "0.12"])
    #expect(read.allowancesAndCharges.map(\.isCharge) == [false, false, true])
    #expect(read.chargeTotal?.description == "0.12" && read.arithmeticFindings.isEmpty)
    #expect(read.lines.map(\.id) == ["il_1", "il_2"] && read.linesIncludeTax == false)
    #expect(read.lines[0].unitAmount?.description == "2.500005")
    #expect(read.lines[0].taxAmount?.description == "1.90")
    #expect(read.lines[1].lineAmount?.description == "-0.91")
    #expect(read.taxBreakdown.map(\.name) == ["VAT"])
    #expect(read.taxBreakdown.first?.taxableAmount?.description == "10.00")
  }

  @Test(
    "the amount that the customer's balance settles is credited, so the amount due is right",
    arguments: [
      // Credit that was left, a debt of before, too little to be charged, and a draft.
      ("-500", "0", 599, "5.00"), ("300", "0", 1399, "-3.00"), ("0", "1099", 0, "10.99"),
      ("-500", "null", 1099, "0"),
    ])
  func balance(start: String, end: String, due: Int, credited: String) throws {
    let row = """
      {"id":"in_1","created":1,"currency":"usd","status":"open","amount_due":\(due),"amount_paid":0,
       "customer":"cus_1",
       "amount_remaining":\(due),"starting_balance":\(start),"ending_balance":\(end),
       "pre_payment_credit_notes_amount":0,"total":1099}
      """
    let read = try #require(
      try StripePage<StripeInvoices>(list(row)).page(at: cursor).records.first)
    #expect(read.amountCredited == ExactDecimal(credited))
    #expect(read.arithmeticFindings.isEmpty)
    let parts = read.allocations.map { "\($0.invoiceNumber ?? "") \($0.invoiceID) \($0.amount)" }
    #expect(parts == (credited == "0" ? [] : ["customer balance cus_1 \(credited)"]))
  }

  /// An invoice that was paid, with credit notes after that.
  private static func paid(_ credited: String, status: String = "paid") -> String {
    """
    {"id":"in_1","created":1,"currency":"usd","status":"\(status)","amount_due":1099,
     "amount_paid":1099,"amount_remaining":0,"pre_payment_credit_notes_amount":0,
     "post_payment_credit_notes_amount":\(credited),"total":1099,"charge":"ch_1",
     "payment_intent":{"id":"pi_1"},
     "status_transitions":{"finalized_at":1706758800,"paid_at":1706761800}}
    """
  }

  @Test(
    "credit notes after payment are credited; an invoice whose payment they return is refunded",
    arguments: [
      ("0", InvoiceStatus.paid, "0"), ("null", .paid, "0"), ("400", .paid, "4"),
      ("1099", .refunded, "10.99"),
    ])
  func creditedLater(amount: String, status: InvoiceStatus, credited: String) throws {
    let read = try #require(
      try StripePage<StripeInvoices>(list(Self.paid(amount))).page(at: cursor).records.first)
    #expect(read.status == status && read.rawStatus == "paid")
    #expect(read.amountCredited == ExactDecimal(credited))
    #expect(read.amountPaid?.description == "10.99" && read.amountDue?.isZero == true)
    #expect(read.arithmeticFindings.isEmpty)
  }

  @Test(
    "a payment has the means and the receipt of its charge, unless that failed or is not shown",
    arguments: [
      (
        #"{"id":"ch_1","paid":true,"receipt_number":"1-2","#
          + #""payment_method_details":{"type":"sepa_debit","sepa_debit":{"last4":"3000"}}}"#,
        "ch_1 sepa_debit 1-2"
      ),
      (#"{"id":"ch_1","paid":false,"payment_method_details":{"type":"card"}}"#, "ch_1 - -"),
      (#"{"id":"ch_1","paid":true,"payment_method_details":null}"#, "ch_1 - -"),
      (#""ch_1""#, "ch_1 - -"), ("null", "pi_1 - -"),
    ])
  func charge(charge: String, expected: String) throws {
    let row = Self.paid("0").replacing(#""charge":"ch_1""#, with: #""charge":\#(charge)"#)
    let read = try #require(
      try StripePage<StripeInvoices>(list(row)).page(at: cursor).records.first)
    let payments = read.payments.map {
      "\($0.id ?? "-") \($0.method ?? "-") \($0.reference ?? "-")"
    }
    #expect(payments == [expected])
    #expect(read.payments.first?.amount.description == "10.99")
  }

  @Test("days are those of the account's time zone, and the day of payment is one of them")
  func days() throws {
    let zone = try #require(TimeZone(identifier: "America/Los_Angeles"))
    // 1 February 2024, 03:40 and 04:30 in UTC.
    func read(_ zone: TimeZone) throws -> Invoice {
      try #require(
        try StripePage<StripeInvoices>(list(Self.paid("0")), in: zone).page(at: cursor).records
          .first)
    }
    let local = try read(zone)
    #expect(local.issueDate == CalendarDate("2024-01-31"))
    #expect(local.payments.map(\.date) == [CalendarDate("2024-01-31")])
    #expect(local.payments.map(\.id) == ["ch_1"])
    #expect(local.payments.map(\.amount.description) == ["10.99"])
    #expect(try read(.gmt).issueDate == CalendarDate("2024-02-01"))
  }

  @Test("the invoiced period is that of the lines, without those that were only added")
  func period() throws {
    let row = """
      {"id":"in_1","created":1,"currency":"usd","status":"open","total":1,
       "period_start":1700000000,"period_end":1700000000,"lines":{"data":[
       {"id":"il_1","amount":1,"period":{"start":1721954054,"end":1721954054}},
       {"id":"il_2","amount":1,"period":{"start":1717200000,"end":1719791999}},
       {"id":"il_3","amount":1,"period":{"start":1714521600,"end":1717199999}}]}}
      """
    let read = try #require(
      try StripePage<StripeInvoices>(list(row)).page(at: cursor).records.first)
    #expect(read.periodStart == CalendarDate("2024-05-01"))
    #expect(read.periodEnd == CalendarDate("2024-06-30"))
  }

  @Test("invoices are read again if their days were cut in UTC or in another configured zone")
  func zoneChanges() async throws {
    let list = String(decoding: list(Self.paid("0")), as: UTF8.self)
    let server = AnsweringServer { path, _ in
      switch path {
      case "/v1/account":
        (200, #"{"id":"acct_1","settings":{"dashboard":{"timezone":"America/Los_Angeles"}}}"#)
      case "/v1/balance": (200, #"{"livemode":true}"#)
      case "/v1/invoices": (200, list)
      default: (200, #"{"data":[],"has_more":false}"#)
      }
    }
    let url = try Response.canned(200, "").url
    try await server.run(StripeFeed(StripeInvoices.self, baseURL: url)) { sync, database in
      func issued() async throws -> String? {
        try await database.invoice("in_1", account: nil)?.invoice.issueDate?.description
      }
      _ = try await sync.run()
      #expect(try await issued() == "2024-01-31")
      let lists = server.requests.filter { $0.hasPrefix("/v1/invoices?") }.count
      _ = try await sync.run()
      // Nothing has changed, and the account is not asked again.
      #expect(server.requests.filter { $0.hasPrefix("/v1/invoices?") }.count == lists)
      let session = Session(
        name: "list", configuration: SessionConfiguration(), middleware: [server], logger: .silent)
      let moved = ResourceSync(
        account: "default",
        feed: StripeFeed(StripeInvoices.self, baseURL: url, timeZone: "Asia/Tokyo"),
        session: session, store: database.invoiceStore, logger: .silent)
      let report = try await moved.run()
      #expect(report.counts.updated == 1 && report.dayZone.timeZone.identifier == "Asia/Tokyo")
      #expect(try await issued() == "2024-02-01")
      // Without the setting, the account's own zone counts again.
      #expect(try await sync.run().counts.updated == 1)
      #expect(try await issued() == "2024-01-31")
      await session.shutdown()
    }
    // A cursor of an earlier version does not know the zone.
    var known = cursor.events()
    known.isLive = true
    let session = Session(
      name: "list", configuration: SessionConfiguration(), middleware: [server], logger: .silent)
    let feed = StripeFeed(StripeInvoices.self, baseURL: url)
    let begun = try await feed.begin(.changes(after: known), ask: session.ask(for: feed))
    #expect(begun.step == .list && begun.timeZone == "America/Los_Angeles")
    known.timeZone = "America/Los_Angeles"
    #expect(try await feed.begin(.changes(after: known), ask: session.ask(for: feed)) == known)
    await session.shutdown()
  }

  @Test("links that differ each time do not change an invoice, and are not stored")
  func links() throws {
    func read(_ code: String) throws -> Invoice {
      let links = """
        {"hosted_invoice_url":"https://invoice.stripe.test/i/acct_1/\(code)?s=ap",
         "invoice_pdf":"https://pay.stripe.test/invoice/acct_1/\(code)/pdf?s=ap",
        """
      let row = links + Self.invoice.dropFirst()
      return try #require(try StripePage<StripeInvoices>(list(row)).page(at: cursor).records.first)
    }
    let first = try read("live_1")
    #expect(try first == read("live_2") && first.id == "in_1" && first.attachments.isEmpty)
  }

  @Test(
    "amounts are counted in the unit that Stripe documents",
    arguments: [
      ("usd", "12.34"), ("jpy", "1234"), ("mga", "1234"), ("isk", "12.34"), ("ugx", "12.34"),
      ("tnd", "1.234"), ("kwd", "1.234"), ("huf", "12.34"), ("twd", "12.34"),
    ])
  func money(code: String, wanted: String) throws {
    let currency = try #require(Currency(code: code))
    #expect(try StripeMoney(currency).amount(ExactDecimal(1_234), at: 0).description == wanted)
  }

  @Test(
    "each status has its meaning, and an unknown one is kept",
    arguments: [
      ("draft", InvoiceStatus.draft), ("open", .open), ("paid", .paid), ("void", .void),
      ("uncollectible", .writtenOff), ("other", .unknown),
    ])
  func statuses(text: String, wanted: InvoiceStatus) throws {
    let row = #"{"id":"in_1","created":1,"currency":"usd","total":0,"status":"\#(text)"}"#
    let read = try StripePage<StripeInvoices>(list(row)).page(at: cursor).records
    #expect(read.map(\.status) == [wanted] && read.map(\.rawStatus) == [text])
    #expect(read.first?.issueDate == nil)
  }

  @Test(
    "an instant that no calendar has is no instant, and the row stays",
    arguments: ["9223372036854775807", "253402300800", "-62135596801"])
  func instants(seconds: String) throws {
    func row(_ created: String, due: String) -> String {
      """
      {"id":"in_7","created":\(created),"currency":"usd","total":0,"status":"open","due_date":\(due)}
      """
    }
    let page = try StripePage<StripeInvoices>(list(row("1", due: seconds), Self.invoice)).page(
      at: cursor)
    #expect(page.failures.isEmpty && page.records.map(\.id) == ["in_7", "in_1"])
    #expect(page.records.first?.dueDate == nil)
    // Without the instant of its last row a page leads nowhere.
    #expect(throws: SyncError.self) {
      _ = try StripePage<StripeInvoices>(list(row(seconds, due: "1")))
    }
  }

  @Test("a deleted object is a deletion; a row that cannot be read costs no other")
  func rows() throws {
    let page = try StripePage<StripeInvoices>(
      list(
        #"{"id":"in_9","object":"invoice","deleted":true}"#, Self.invoice,
        #"{"id":"in_8","created":1718000000,"currency":"usd"}"#, hasMore: true)
    ).page(at: cursor)
    #expect(page.removals.map(\.id) == ["in_9"] && page.records.map(\.id) == ["in_1"])
    #expect(page.failures == [RowFailure(id: "in_8", path: "total", reason: missing)])
    // The next page begins after the last row, a later run at its instant, because the row may be
    // removed by then.
    #expect(page.next?.after == "in_8" && page.next?.until == nil)
    #expect(page.resume.after == nil)
    #expect(page.resume.until == Timestamp(microsecondsSinceEpoch: 1_718_000_000_000_000))
  }

  private let missing = "missing or unknown"

  @Test(
    "events name invoices once; an upcoming invoice has no name; a deleted one is not fetched")
  func events() throws {
    func event(_ id: String, _ type: String, _ invoice: String) -> String {
      """
      {"id":"\(id)","object":"event","api_version":"2019-01-01","created":1718871000,
       "data":{"object":{\(invoice)"object":"invoice"},"previous_attributes":{}},"type":"\(type)"}
      """
    }
    let body = list(
      event("evt_5", "invoice.deleted", #""id":"in_2","#),
      event("evt_4", "invoice.paid", #""id":"in_1","#), event("evt_3", "invoice.upcoming", ""),
      event("evt_2", "invoice.created", #""id":"in_2","#),
      event("evt_1", "invoice.created", #""id":"in_1","#), hasMore: true)
    let asked = cursor.since.adding(seconds: 3_600)
    let page = try StripeEvents<StripeInvoices>(body).page(at: cursor.events(), asked: asked)
    #expect(page.unfinished == ["in_1"] && page.removals.map(\.id) == ["in_2"])
    #expect(page.next?.after == "evt_1" && page.next?.askedAt == asked)
    #expect(page.resume == page.next)
    let next = try #require(page.next)
    let end = try StripeEvents<StripeInvoices>(list()).page(
      at: next, asked: asked.adding(seconds: 60))
    #expect(end.next == nil && end.resume == cursor.events(since: asked.adding(seconds: -300)))
    #expect(throws: CursorExpired.self) {
      _ = try StripeEvents<StripeInvoices>(body).page(
        at: cursor.events(), asked: cursor.since.adding(seconds: 30 * 86_400))
    }
  }

  @Test("a removed row to continue after is an expired cursor; other refusals are not")
  func lostCursor() throws {
    let feed = StripeFeed(StripeInvoices.self, baseURL: try Response.canned(200, "").url)
    func error(_ parameter: String) -> String {
      #"{"error":{"code":"resource_missing","param":"\#(parameter)","type":"invalid_request_error"}}"#
    }
    #expect(throws: CursorExpired.self) {
      _ = try feed.failure(in: Response.canned(400, error("starting_after")))
    }
    for (status, body) in [
      (404, error("invoice")), (400, "<html>"), (200, error("starting_after")),
    ] {
      #expect(try feed.failure(in: Response.canned(status, body)) == nil)
    }
  }

  @Test("lines beyond the tenth are fetched page by page; an unreadable one costs one invoice")
  func lines() async throws {
    let cut = Self.invoice.replacing(#""has_more":false"#, with: #""has_more":true"#)
    let list = String(decoding: list(cut, cut.replacing("in_1", with: "in_2")), as: UTF8.self)
    let server = AnsweringServer { path, query in
      switch (path, query["starting_after"]) {
      case ("/v1/account", _): (200, #"{"id":"acct_1"}"#)
      case ("/v1/balance", _): (200, #"{"livemode":true}"#)
      case ("/v1/invoices", _): (200, list)
      case ("/v1/invoices/in_1/lines", "il_2"):
        (200, #"{"data":[{"id":"il_3","amount":5}],"has_more":true}"#)
      case ("/v1/invoices/in_1/lines", "il_3"):
        (200, #"{"data":[{"id":"il_4","amount":6}],"has_more":false}"#)
      case ("/v1/invoices/in_2/lines", _): (200, #"{"data":{}}"#)
      default: (200, #"{"data":[],"has_more":false}"#)
      }
    }
    try await server.run(StripeFeed(StripeInvoices.self, baseURL: Response.canned(200, "").url)) {
      sync, database in
      let report = try await sync.run()
      #expect(report.ending == .unreadable && report.failures.map(\.id) == ["in_2"])
      let stored = try await database.invoice("in_1", account: nil)?.invoice
      #expect(stored?.lines.map(\.id) == ["il_1", "il_2", "il_3", "il_4"])
      #expect(stored?.lines.last?.lineAmount?.description == "0.06")
      #expect(try await database.invoice("in_2", account: nil) == nil)
    }
    #expect(server.requests.allSatisfy { !$0.contains("Stripe-Account") })
  }

  @Test("further lines without a list of them are no end of the lines")
  func noLines() throws {
    #expect(throws: SyncError.self) { try StripeLines(page: Array("{}".utf8)) }
    #expect(try !StripeLines(page: Array(#"{"data":[]}"#.utf8)).hasMore)
  }

  @Test("an invoice that is missing when its event is read is deleted")
  func goneMeanwhile() async throws {
    let list = String(decoding: list(Self.invoice), as: UTF8.self)
    let event = """
      {"data":[{"id":"evt_1","type":"invoice.updated","created":1,
        "data":{"object":{"id":"in_1"}}}],"has_more":false}
      """
    let server = AnsweringServer { path, _ in
      switch path {
      case "/v1/account": (200, #"{"id":"acct_1"}"#)
      case "/v1/balance": (200, #"{"livemode":true}"#)
      case "/v1/invoices": (200, list)
      case "/v1/events": (200, event)
      default: (404, #"{"error":{"code":"resource_missing","param":"invoice"}}"#)
      }
    }
    try await server.run(StripeFeed(StripeInvoices.self, baseURL: Response.canned(200, "").url)) {
      sync, database in
      let report = try await sync.run()
      let stored = try await database.invoice("in_1", account: nil)
      #expect(report.counts.deleted == 1 && stored?.deletedReason == "not found")
    }
  }

  @Test("a page that repeats the one before, or is empty and promises more, ends no list")
  func stuckPages() throws {
    #expect(throws: SyncError.self) {
      try StripePage<StripeInvoices>(list(Self.invoice, hasMore: true)).page(
        at: cursor.advanced(after: "in_1"))
    }
    #expect(throws: SyncError.self) {
      try StripePage<StripeInvoices>(list(hasMore: true)).page(at: cursor)
    }
  }
}
