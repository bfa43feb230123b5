import Foundation
import HTTPTypes
import Models
import Networking
import Storage
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

/// The answers of QuickBooks Online, after its documentation.
@Suite(.timeLimit(.minutes(10))) struct QuickBooksTests {
  private let invoice = """
    {"domain":"QBO","sparse":false,"Id":"130","SyncToken":"3",
     "MetaData":{"CreateTime":"2014-09-19T13:16:17-07:00","LastUpdatedTime":"2014-09-19T13:16:17-07:00"},
     "CustomField":[{"DefinitionId":"2","Name":"Crew #","Type":"StringType","StringValue":"102"},
       {"DefinitionId":"1","Name":"P.O. Number","Type":"StringType","StringValue":"PO-7"}],
     "DocNumber":"1037","TxnDate":"2014-09-19","DueDate":"2014-10-19",
     "CurrencyRef":{"value":"EUR","name":"Euro"},"GlobalTaxCalculation":"TaxExcluded",
     "LinkedTxn":[{"TxnId":"100","TxnType":"Estimate"}],
     "Line":[
      {"Id":"1","LineNum":1,"Description":"Rock Fountain","Amount":275.00,
       "DetailType":"SalesItemLineDetail","SalesItemLineDetail":{"ItemRef":{"value":"5"},
        "UnitPrice":27.5,"Qty":10,"ItemAccountRef":{"value":"79"},"TaxCodeRef":{"value":"TAX"}}},
      {"Id":"2","LineNum":2,"Amount":60.25,"DetailType":"GroupLineDetail","GroupLineDetail":
       {"Quantity":1,"Line":[
        {"Id":"3","Description":"Pump","Amount":20.25,"DetailType":"SalesItemLineDetail",
         "SalesItemLineDetail":{"UnitPrice":20.25,"Qty":1}},
        {"Id":"4","Description":"Hose","Amount":40,"DetailType":"SalesItemLineDetail",
         "SalesItemLineDetail":{"UnitPrice":0.0004,"Qty":100000}}]}},
      {"Id":"5","Description":"Thank you","DetailType":"DescriptionOnly",
       "DescriptionLineDetail":{"TaxCodeRef":{"value":"NON"}}},
      {"Amount":335.25,"DetailType":"SubTotalLineDetail","SubTotalLineDetail":{}},
      {"Id":"9","Description":"Loyal","Amount":35.25,"DetailType":"DiscountLineDetail","DiscountLineDetail":
       {"PercentBased":false,"DiscountAccountRef":{"value":"86"}}}],
     "TxnTaxDetail":{"TxnTaxCodeRef":{"value":"2"},"TotalTax":26.82,"TaxLine":[
      {"Amount":26.82,"DetailType":"TaxLineDetail","TaxLineDetail":{"TaxRateRef":{"value":"3"},
       "PercentBased":true,"TaxPercent":8,"NetAmountTaxable":335.25}}]},
     "BillAddr":{"Id":"95","Line1":"Russ Sonnenschein","Line2":"Familiar Store\\n5647 Cypress Hill","Line3":"",
      "City":"Middlefield","CountrySubDivisionCode":"CA","PostalCode":"94303","Lat":"37.4","Country":"USA"},
     "CustomerRef":{"value":"24","name":"Sonnenschein"},"BillEmail":{"Address":"a@example.com"},
     "TotalAmt":326.82,"Balance":226.82}
    """

  private func page(
    _ rows: String, _ kind: QuickBooksKind = .invoice, homeCurrency: String? = nil
  ) throws -> QuickBooksPage<QuickBooksInvoices> {
    let body = """
      {"QueryResponse":{"\(kind.rawValue)":[\(rows)],"startPosition":1,"maxResults":1},
       "time":"2014-09-20T00:00:00.123-07:00"}
      """
    return try QuickBooksPage<QuickBooksInvoices>(
      Array(body.utf8), of: kind, homeCurrency: homeCurrency)
  }

  @Test("every field of an invoice is read, with the digits that were sent")
  func fields() throws {
    let read = try #require(try page(invoice).records.first)
    #expect(read.id == "130" && read.number == "1037" && read.type == .invoice)
    #expect(read.status == .partiallyPaid && read.rawStatus == "")
    let address = PostalAddress(
      lines: ["Russ Sonnenschein", "Familiar Store", "5647 Cypress Hill"], city: "Middlefield",
      postalCode: "94303", region: "CA", country: "USA")
    #expect(
      read.contact
        == Party(id: "24", name: "Sonnenschein", email: "a@example.com", address: address))
    #expect(read.ownParty == nil)
    #expect(read.currency.code == "EUR" && read.orderNumber == "PO-7")
    #expect(read.issueDate == CalendarDate("2014-09-19"))
    #expect(read.dueDate == CalendarDate("2014-10-19"))
    #expect(read.updatedAt == Timestamp("2014-09-19T20:16:17Z"))
    #expect(read.total.description == "326.82" && read.amountDue?.description == "226.82")
    #expect(read.totalTax?.description == "26.82" && read.lineTotal?.description == "335.25")
    #expect(read.allowanceTotal?.description == "35.25" && read.linesIncludeTax == false)
    let discount = try AllowanceCharge(
      id: "9", isCharge: false, amount: #require(ExactDecimal("35.25")), reason: "Loyal")
    #expect(read.allowancesAndCharges == [discount])
    #expect(read.lines.map(\.id) == ["1", "3", "4", "5"])
    #expect(read.lines[0].lineAmount?.description == "275.00")
    #expect(read.lines[0].accountCode == "79" && read.lines[0].taxType == "TAX")
    #expect(read.lines[2].unitAmount?.description == "0.0004")
    #expect(read.lines[3].description == "Thank you" && read.lines[3].lineAmount == nil)
    #expect(read.taxBreakdown.map(\.rate) == [ExactDecimal(8)])
  }

  @Test("a voided invoice is known by its note and its zeros, and by nothing less")
  func voided() throws {
    func row(_ note: String, _ total: String) -> String {
      """
      {"Id":"9","MetaData":{"LastUpdatedTime":"2015-01-01T00:00:00-08:00"},"TotalAmt":\(total),
       "Balance":0,"PrivateNote":"\(note)"}
      """
    }
    let rows = [
      row("Voided", "0"), row("Voided: by mistake", "0.00"), row("Voided", "12"), row("Free", "0"),
    ]
    let read = try page(rows.joined(separator: ","), homeCurrency: "usd").records
    #expect(read.map(\.status) == [.void, .void, .paid, .paid])
    #expect(read.map(\.rawStatus) == ["Voided", "Voided", "", ""])
    #expect(read.allSatisfy { $0.currency.code == "USD" })
  }

  @Test("credit memos and bills have identifiers of their own, even if they cannot be read")
  func kinds() throws {
    let memo = """
      {"Id":"130","MetaData":{"LastUpdatedTime":"2015-01-01T00:00:00+00:00"},"TotalAmt":50,
       "Balance":0,"RemainingCredit":50,"CurrencyRef":{"value":"USD"}}
      """
    let read = try #require(try page(memo, .creditMemo).records.first)
    #expect(read.id == "creditmemo/130" && read.type == .creditNote && read.status == .open)
    let bills = try page(#"{"Id":"7","TotalAmt":"x"},{"Id":"8"}"#, .bill)
    #expect(bills.failures.map(\.id) == ["bill/7", "bill/8"] && bills.count == 2)
    #expect(bills.failures.map(\.path) == ["TotalAmt", "CurrencyRef"])
    #expect(try page(memo.replacing("USD", with: "?"), .creditMemo).failures.count == 1)
  }

  @Test("an empty list has no key for its rows; an answer without a list is none")
  func empty() throws {
    let body = #"{"QueryResponse":{},"time":"2015-01-01T00:00:00-08:00"}"#
    #expect(
      try QuickBooksPage<QuickBooksInvoices>(Array(body.utf8), of: .bill, homeCurrency: nil).count
        == 0)
    #expect(throws: SyncError.self) {
      _ = try QuickBooksPage<QuickBooksInvoices>(Array("{}".utf8), of: .bill, homeCurrency: nil)
    }
  }

  @Test(
    "instants are read in every zone",
    arguments: [
      ("2015-07-06T09:00:00-07:00", "2015-07-06T16:00:00Z"),
      ("2015-07-06T09:00:00+05:30", "2015-07-06T03:30:00Z"),
      ("2015-07-06T09:00:00.250Z", "2015-07-06T09:00:00.250Z"),
      ("2015-07-06T09:00:00 07:00", nil), ("2015-07-06T24:00:00-07:00", nil), ("", nil),
    ])
  func instants(text: String, wanted: String?) {
    #expect(Timestamp(text)?.description == wanted)
  }

  @Test(
    "the code of a fault decides its meaning, whatever the status and the form",
    arguments: [
      (
        200, #"{"Fault":{"Error":[{"Message":"m","code":"3200"}],"type":"AUTHENTICATION"}}"#, "auth"
      ),
      (400, #"{"Fault":{"Error":[{"Message":"m","code":"003200"}],"type":"x"}}"#, "auth"),
      (
        401,
        #"{"warnings":null,"fault":{"error":[{"detail":"d","code":"3200"}],"type":"AUTHENTICATION"}}"#,
        "auth"
      ),
      (400, #"{"Fault":{"Error":[{"code":"003001"}],"type":"SERVICE"}}"#, "rate"),
      (
        403,
        #"<?xml version="1.0"?><IntuitResponse><Fault type="SERVICE"><Error code="3001"><Message/>"#,
        "rate"
      ),
      (200, #"{"Fault":{"Error":[{"code":"6190"}],"type":"ValidationFault"}}"#, "denied"),
      (400, #"{"Fault":{"Error":[{"code":"4000"}],"type":"ValidationFault"}}"#, "unreadable"),
      (500, #"{"Fault":{"Error":[{"code":"10000"}],"type":"SystemFault"}}"#, "failed"),
      (200, #"{"QueryResponse":{"Invoice":[{"Memo":"Default"}]}}"#, nil),
      (502, "<html>default page</html>", nil),
    ])
  func faults(status: Int, body: String, wanted: String?) throws {
    let feed = QuickBooksFeed(
      QuickBooksInvoices.self, baseURL: try Response.canned(200, "").url, realmID: "1")
    let found: String? =
      switch try feed.failure(in: try Response.canned(status, body)) {
      case .credentialsRejected: "auth"
      case .rateLimited: "rate"
      case .accessDenied: "denied"
      case .unreadable: "unreadable"
      case .serverFailed: "failed"
      case nil: nil
      default: "other"
      }
    #expect(found == wanted)
  }

  @Test("a missing company is an error that says where to find its ID")
  func companyMissing() async throws {
    let server = AnsweringServer { _, _ in (500, "") }
    try await server.run(
      QuickBooksFeed(QuickBooksInvoices.self, baseURL: Response.canned(200, "").url, realmID: nil)
    ) {
      sync, _ in
      await #expect {
        _ = try await sync.run()
      } throws: { error in
        "\(error)".contains("realmId")
      }
    }
    #expect(server.requests.isEmpty)
  }

  @Test("only changes marked Deleted are deletions, and 1000 objects may not be all")
  func changes() throws {
    func body(_ count: Int) -> String {
      let row = #""TotalAmt":1,"MetaData":{"LastUpdatedTime":"2015-12-23T09:00:00-07:00"}"#
      let rows = (1...count).map { #"{"Id":"\#($0)",\#(row)}"# }.joined(separator: ",")
      return """
        {"CDCResponse":[{"QueryResponse":[{},
          {"CreditMemo":[{"domain":"QBO","status":"Deleted","Id":"4","MetaData":{}}]},
          {"Invoice":[\(rows)],"startPosition":1,"maxResults":\(count)}]}],
         "time":"2015-12-23T10:00:01-07:00"}
        """
    }
    func read(_ body: String) throws -> QuickBooksChanges<QuickBooksInvoices> {
      try QuickBooksChanges(Array(body.utf8), homeCurrency: "USD")
    }
    let few = try read(body(3))
    #expect(few.removals.map(\.id) == ["creditmemo/4"])
    #expect(few.records.map(\.id) == ["1", "2", "3"] && few.failures.isEmpty)
    #expect(few.time == Timestamp("2015-12-23T17:00:01Z"))
    #expect(throws: CursorExpired.self) { _ = try read(body(999)) }
    #expect(throws: SyncError.self) { _ = try read("{}") }
  }

  @Test("positions are used only inside an instant that fills a page")
  func ties() throws {
    let instant = Timestamp(microsecondsSinceEpoch: 1_700_000_000_000_000)
    let kinds = QuickBooksInvoices.kinds
    let cursor = QuickBooksCursor(realmID: "1", homeCurrency: nil, changesKnownUntil: instant)
    let first = cursor.resumption(of: .invoice, newest: instant)
    let second = try #require(
      cursor.next(of: .invoice, among: kinds, after: 10, of: 10, resume: first))
    #expect(second.position == 1 && second.newest == ["Invoice": instant])
    let third = second.next(
      of: .invoice, among: kinds, after: 10, of: 10,
      resume: second.resumption(of: .invoice, newest: instant))
    #expect(third?.position == 11)
    let last = third?.next(
      of: .invoice, among: kinds, after: 9, of: 10,
      resume: second.resumption(of: .invoice, newest: instant))
    #expect(last?.step == .list(.creditMemo) && last?.position == 1)
  }

  @Test("a second reading of everything ends without a count")
  func secondReading() async throws {
    let url = try #require(URL(string: "http://qb.test"))
    let feed = QuickBooksFeed(QuickBooksInvoices.self, baseURL: url, realmID: "1")
    var cursor = QuickBooksCursor(
      realmID: "1", homeCurrency: nil, changesKnownUntil: Timestamp(microsecondsSinceEpoch: 0))
    func count(at cursor: QuickBooksCursor) async throws -> ListCount {
      try await feed.count(at: cursor) { request in
        Response(head: HTTPResponse(status: .ok), body: Array("{}".utf8), url: request.url)
      }
    }
    #expect(try await count(at: cursor) == .notNeeded)
    cursor.usedPositions = true
    #expect(try await count(at: cursor) == .unknown)
    let second = feed.exhaustive(cursor)
    #expect(try await count(at: second) == .notNeeded)
    #expect(second.resumption(of: .invoice, newest: nil).isSecondReading)
    #expect(!second.changes(of: QuickBooksInvoices.kinds).isSecondReading)
  }

  @Test("a status that asks for a retry decides, whatever the code of the fault")
  func faultsOfBusyServers() throws {
    let body = #"{"Fault":{"Error":[{"code":"4001"}],"type":"ValidationFault"}}"#
    for (status, isExpected) in [
      (429, { if case .rateLimited? = $0 { true } else { false } }),
      (503, { if case .serverFailed(503, _)? = $0 { true } else { false } }),
      (400, { if case .unreadable? = $0 { true } else { false } }),
    ] as [(Int, (SyncError?) -> Bool)] {
      #expect(isExpected(QuickBooksFault(try .canned(status, body))?.meaning), "\(status)")
    }
  }

  @Test("an impossible count is ignored")
  func impossibleCounts() throws {
    func body(_ count: String) -> [UInt8] {
      let item = #"{"QueryResponse":{"totalCount":\#(count)}}"#
      return Array(
        #"{"BatchItemResponse":[\#([item, item, item, item].joined(separator: ","))]}"#.utf8)
    }
    #expect(try QuickBooksCount.read(body("7"), of: 4) == 28)
    #expect(try QuickBooksCount.read(body("9223372036854775807"), of: 4) == nil)
    #expect(try QuickBooksCount.read(body("-1"), of: 4) == nil)
  }
}
