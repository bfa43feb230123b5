import Foundation
import HTTPTypes
import JSONReading
import Models
import Networking
import Providers
import Sync
import Testing

/// Forms, parents and requests that only some servers need.
@Suite(.timeLimit(.minutes(10))) struct RESTLanguageTests {
  private func value(_ json: String) throws -> JSONValue {
    var reader = JSONReader(Array(json.utf8))
    return try reader.readValue()
  }

  private func list(_ change: (inout RESTResource) throws -> Void) throws -> RESTFeed<Invoice> {
    var resource = try RESTFixture.resource(RESTPaging(.none), counts: false)
    resource.rows = .root
    try change(&resource)
    let url = try #require(URL(string: "https://api.acme.example/v1"))
    let description = try RESTDescription(baseURL: url, resources: [resource])
    return RESTFeed(
      Invoice.self, provider: "acme", resource: resource, baseURL: description.baseURL)
  }

  private func read<Record>(_ json: String, _ feed: RESTFeed<Record>) async throws -> [Record] {
    let cursor = try await feed.begin(.everything(known: nil)) { _ in
      throw CocoaError(.featureUnsupported)
    }
    let response = Response(
      head: HTTPResponse(status: .ok), body: Array(json.utf8), url: try feed.request(at: cursor).url
    )
    let page = try feed.page(response, at: cursor)
    #expect(page.failures.isEmpty, "\(page.failures)")
    return page.records
  }

  @Test(
    "a day is read in the form that a server writes, and in no other",
    arguments: [
      (RESTDateForm.dayMonthYear, #""31/05/2024""#, #""05/31/2024""#),
      (.dayMonthYear, #""31/5/2024""#, #""31/05/24""#),
      (.monthDayYear, #""05/31/2024""#, #""31/05/2024""#),
      (.dottedDay, #""31.05.2024""#, #""31/05/2024""#),
      (.digits, "20240531", #""2024-05-31""#), (.digits, #""20240531""#, "2024053"),
      (
        .object, #"{"year": 2024, "month": 5, "day": 31}"#,
        #"{"year": 2024, "month": 13, "day": 1}"#
      ),
      (.dotNet, #""/Date(1717113600000+0000)/""#, #""/Date(x)/""#),
      (.dotNet, #""\/Date(1717113600000)\/""#, "1717113600000"),
    ])
  func days(form: RESTDateForm, right: String, wrong: String) throws {
    #expect(form.day(try value(right)) == CalendarDate("2024-05-31"))
    #expect(form.day(try value(wrong)) == nil)
  }

  @Test("a request states an instant in each form so that it can be read again")
  func requests() throws {
    let instant = try #require(Timestamp("2024-05-31T00:00:00Z"))
    for form in RESTDateForm.allCases where form != .object {
      let text = form.text(of: instant)
      let value = ExactDecimal(text).map(JSONValue.number) ?? .text(text)
      #expect(form.instant(value) == instant, "\(form.rawValue): \(text)")
    }
  }

  @Test(
    "an amount with separators keeps its digits, and one in another form is refused",
    arguments: [
      (RESTMoneyForm.commaThousands, "1,234,567.50", "1234567.50" as String?),
      (.commaThousands, "-1,234.5", "-1234.5"), (.commaThousands, "12", "12"),
      (.commaThousands, "1,23.50", nil), (.commaThousands, "1.234,50", nil),
      (.commaDecimal, "1.234,50", "1234.50"), (.commaDecimal, "1 234,50", "1234.50"),
      (.commaDecimal, "1'234,5", "1234.5"), (.commaDecimal, "1,234.50", nil),
      (.commaDecimal, "1,", nil), (.commaDecimal, "", nil),
    ])
  func amounts(form: RESTMoneyForm, text: String, digits: String?) {
    #expect(form.amount(.text(text), in: nil) == digits.flatMap { ExactDecimal($0) })
  }

  @Test("a number in a map stands for every way to write it")
  func numbers() {
    var field = RESTField(.constant("unused"))
    field.words = ["0": "paid", "*": "open"]
    for zero in ["0", "0.0", "0.00", "-0"] { #expect(field.meaning(of: zero) == "paid", "\(zero)") }
    for other in ["0.01", "-1", "none"] { #expect(field.meaning(of: other) == "open", "\(other)") }
  }

  @Test(
    "the sign of an amount decides the type in each form, and zero and words have none",
    arguments: [
      ("-0.01", "credit-note"), ("-1.234,50", "credit-note"), ("-5", "credit-note"),
      ("-1", "bill"), ("0", "invoice"), ("-0.00", "invoice"), ("12", "invoice"), ("-", "invoice"),
    ])
  func sign(amount: String, type: String) {
    var field = RESTField(.constant("unused"))
    field.words = ["<0": "credit-note", "-1": "bill", "*": "invoice"]
    #expect(field.meaning(of: amount) == type)
  }

  @Test("a rate as a fraction or in basis points becomes percent, exactly")
  func fractions() async throws {
    let feed = try list { resource in
      var rate = RESTField(.path(try RESTFixture.path("rate")))
      rate.rateForm = .fraction
      resource.fields.lists["taxes"] = RESTList(
        path: try RESTFixture.path("taxes"),
        fields: ["rate": rate, "taxAmount": RESTField(.path(try RESTFixture.path("sum")))])
    }
    let json = #"""
      [{"id": "a", "total": "1", "updated_at": "2024-05-31T00:00:00Z",
        "taxes": [{"rate": 0.077, "sum": "1"}, {"rate": "0.19", "sum": "1"}]}]
      """#
    let invoice = try #require(try await read(json, feed).first)
    #expect(invoice.taxBreakdown.map(\.rate?.description) == ["7.7", "19"])
    #expect(RESTRateForm.basisPoints.percent(ExactDecimal(770))?.description == "7.7")
    #expect(RESTRateForm.basisPoints.percent(ExactDecimal(1900))?.description == "19")
  }

  @Test("the elements of a list in each row are records, with fields of the row that holds them")
  func elements() async throws {
    let feed = try list { resource in
      resource.rows = try RESTFixture.path("result[1].data")
      resource.elements = try RESTFixture.path("documents")
      resource.fields.fields["currency"] = RESTField(.path(try RESTFixture.path("^money.code")))
      resource.fields.fields["updatedAt"] = RESTField(.path(try RESTFixture.path("^at")))
      resource.fields.lists["lines"] = RESTList(
        path: try RESTFixture.path("rows"),
        fields: [
          "description": RESTField(.path(try RESTFixture.path("text"))),
          "taxType": RESTField(.path(try RESTFixture.path("^tax"))),
        ])
      resource.fields.lists["allocations"] = RESTList(
        path: .root,
        fields: [
          "invoiceID": RESTField(.path(try RESTFixture.path("^id"))),
          "amount": RESTField(.path(try RESTFixture.path("total"))),
        ])
    }
    let json = #"""
      {"result": [{"data": "another list"}, {"data": [
        {"id": "r", "money": {"code": "CHF"}, "at": "2024-05-31T00:00:00Z", "documents": [
          {"id": "a", "total": "1", "tax": "V1", "rows": [{"text": "One"}, {"text": "Two"}]},
          {"id": "b", "total": "2", "tax": "V2", "rows": []}]},
        {"id": "s", "money": {"code": "EUR"}, "at": "2024-06-01T00:00:00Z"},
        {"id": "t", "money": {"code": "USD"}, "at": "2024-06-01T00:00:00Z",
         "documents": [{"id": "c", "total": "3"}]}]}]}
      """#
    let invoices = try await read(json, feed)
    #expect(invoices.map(\.id) == ["a", "b", "c"])
    #expect(invoices.map(\.currency.code) == ["CHF", "CHF", "USD"])
    #expect(invoices.first?.lines.map(\.taxType) == ["V1", "V1"])
    #expect(invoices.first?.allocations.map(\.invoiceID) == ["r"])
    #expect(invoices.first?.allocations.map(\.amount.description) == ["1"])
  }

  @Test("an allocation that names no document is none")
  func allocations() async throws {
    func field(_ path: String) throws -> RESTField { RESTField(.path(try RESTFixture.path(path))) }
    var fields = RESTFields()
    fields.fields = [
      "id": try field("id"), "type": RESTField(.constant("receipt")),
      "currency": RESTField(.constant("EUR")), "amount": try field("amount"),
    ]
    fields.lists["allocations"] = RESTList(
      path: .root, fields: ["invoiceID": try field("invoice.id"), "amount": try field("part")])
    var resource = try RESTFixture.resource(
      RESTPaging(.none), counts: false, kind: .payments)
    (resource.rows, resource.fields) = (.root, fields)
    let url = try #require(URL(string: "https://api.acme.example/v1"))
    let feed = RESTFeed(Payment.self, provider: "acme", resource: resource, baseURL: url)
    let json = #"""
      [{"id": "a", "amount": "9", "part": "9", "invoice": {"id": "i"}},
       {"id": "b", "amount": "8", "part": "8", "invoice": null},
       {"id": "c", "amount": "7", "part": "5", "invoice": {"id": "k"}},
       {"id": "d", "amount": "6", "part": "6"}]
      """#
    let payments = try await read(json, feed)
    #expect(payments.map { $0.allocations.map(\.invoiceID) } == [["i"], [], ["k"], []])
    // The doctor reads them as a sync does.
    let first = #"[{"id": "b", "amount": "8", "part": "8", "invoice": null}]"#
    let readings = try feed.readings(of: Array(first.utf8))
    #expect(readings.first { $0.field == "allocations" }?.value == "0")
    #expect(readings.allSatisfy { $0.problem == nil }, "\(readings)")
  }

  @Test("a refund is above zero, however the server writes it")
  func refundsBelowZero() async throws {
    func field(_ path: String) throws -> RESTField { RESTField(.path(try RESTFixture.path(path))) }
    var type = try field("sum")
    type.words = [RESTField.negative: "refund", RESTField.anyWord: "receipt"]
    var fields = RESTFields()
    fields.fields = [
      "id": try field("id"), "type": type, "currency": RESTField(.constant("EUR")),
      "amount": try field("sum"),
    ]
    fields.lists["allocations"] = RESTList(
      path: .root, fields: ["invoiceID": try field("of"), "amount": try field("sum")])
    var resource = try RESTFixture.resource(RESTPaging(.none), counts: false, kind: .payments)
    (resource.rows, resource.fields) = (.root, fields)
    let url = try #require(URL(string: "https://api.acme.example/v1"))
    let feed = RESTFeed(Payment.self, provider: "acme", resource: resource, baseURL: url)
    let json = #"[{"id": "a", "sum": "-9", "of": "i"}, {"id": "b", "sum": "8", "of": "i"}]"#
    let payments = try await read(json, feed)
    #expect(payments.map(\.type) == [.refund, .receipt])
    #expect(payments.map(\.amount.description) == ["9", "8"])
    #expect(payments.map { $0.allocations.map(\.amount.description) } == [["9"], ["8"]])
  }

  @Test("a query item with several values is repeated, and a template holds the instant")
  func queries() async throws {
    let feed = try list { resource in
      resource.query = ["include": ["lines", "taxes"], "$filter": ["kind eq 1"]]
      var watermark = RESTWatermark(parameter: "$filter")
      watermark.template = "kind eq 1 and changed ge {since}"
      resource.changes = .watermark(watermark)
    }
    func query(_ start: FeedStart<RESTCursor>) async throws -> [String] {
      let cursor = try await feed.begin(start) { _ in throw CocoaError(.featureUnsupported) }
      let query = try feed.request(at: cursor).url.query(percentEncoded: false)
      return query?.replacing("+", with: " ").split(separator: "&").map(String.init) ?? []
    }
    let included = ["include=lines", "include=taxes"]
    #expect(try await query(.everything(known: nil)) == ["$filter=kind eq 1"] + included)
    let since = try #require(Timestamp("2024-05-31T08:00:00Z"))
    #expect(
      try await query(.since(since, known: nil))
        == ["$filter=kind eq 1 and changed ge 2024-05-31T08:00:00Z"] + included)
  }

  @Test("a description that reads a parent where there is none is refused")
  func parents() throws {
    #expect(throws: RESTDescriptionError.self) {
      try list { resource in
        resource.fields.fields["currency"] = RESTField(.path(try RESTFixture.path("^code")))
      }
    }
    #expect(RESTPath("^") == nil)
    #expect(RESTPath("^a[0].b")?.readsParent == true)
    #expect(RESTPath(#"["^a"]"#)?.readsParent == false)
  }
}
