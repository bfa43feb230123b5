import ErrorCodes
import Foundation
import HTTPTypes
import Models
import Networking
import Providers
import Storage
import Sync
import TestSupport
import Testing

@testable import AppCore

/// Descriptions that are proposed from pages of several shapes, and what they read from them.
@Suite(.timeLimit(.minutes(10))) struct ProposedDescriptionTests {
  /// A made-up list: its first page, and the answer to every other request.
  struct Shape: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var url = "https://api.acme.example/v1/invoices"
    var link: String?
    let page: String
    var end = "[]"
    /// Each invoice as its id, number, status, day, due day, total, amount due and contact.
    var invoices: [String] = []
    /// Lines of the proposal, without their comments.
    let expected: [String]

    func proposal() throws -> ProposedDescription {
      var fields: HTTPFields = [.contentType: "application/json"]
      if let link, let name = HTTPField.Name("Link") { fields[name] = link }
      return try ProposedDescription(
        name: "acme", page: Array(page.utf8), url: try #require(URL(string: url)), fields: fields,
        scheme: .bearer)
    }
  }

  /// Answers the first request with a page, and every other one with the end of the list.
  private struct Server: Middleware {
    let shape: Shape

    func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
      let text = request.url.absoluteString
      let isFirst = !["page=2", "cursor=", "skip=2", "starting_after=", "offset=2"].contains(
        where: text.contains)
      var fields: HTTPFields = [.date: "Fri, 31 May 2024 10:00:00 GMT"]
      if isFirst, let link = shape.link, let name = HTTPField.Name("Link") { fields[name] = link }
      return StreamingResponse(
        head: HTTPResponse(status: .ok, headerFields: fields),
        body: ResponseBody(Array((isFirst ? shape.page : shape.end).utf8)), url: request.url)
    }
  }

  static let shapes: [Shape] = [
    Shape(
      testDescription: "a nested list with the next address and amounts as texts",
      page: """
        {"data": {"items": [
          {"id": "a1", "number": "INV-1", "state": "sent", "currency": {"code": "USD"},
           "issue_date": "2024-05-31", "due_date": "2024-06-30",
           "updated_at": "2024-05-31T08:00:00Z",
           "customer": {"id": 7, "name": "Ada Lovelace", "email": "ada@example.com"},
           "amounts": {"net": "100.00", "tax": "19.00", "total": "119.00", "due": "119.00"},
           "lines": [{"title": "Work", "qty": 2, "unit_price": "50.00", "tax_rate": 0.19,
                      "amount": "100.00"}]},
          {"id": "a2", "number": "INV-2", "state": "on_hold", "currency": {"code": "USD"},
           "issue_date": "2024-06-01", "due_date": null, "updated_at": "2024-06-01T08:00:00Z",
           "customer": {"id": 8, "name": "Grace Hopper", "email": null},
           "amounts": {"net": "1.00", "tax": "0.19", "total": "1.19", "due": "0.00"}, "lines": []}
         ]}, "meta": {"total_count": 2},
         "links": {"next": "https://api.acme.example/v1/invoices?page=2"}}
        """,
      end: #"{"data": {"items": []}, "meta": {"total_count": 2}, "links": {"next": null}}"#,
      invoices: [
        "a1 INV-1 open 2024-05-31 2024-06-30 119.00 119.00 Ada Lovelace",
        "a2 INV-2 unknown 2024-06-01 - 1.19 0.00 Grace Hopper",
      ],
      expected: [
        "rows: data.items", "count: meta.total_count", "paging: { style: next, field: links.next }",
        "money: decimal-string", "sent: open", "currency: currency.code", "name: customer.name",
        "taxRate: { path: tax_rate, form: fraction }",
        "quantity: qty",
      ]),
    Shape(
      testDescription: "numbered pages without a currency",
      url: "https://api.acme.example/invoices?page=1&per_page=50&include=lines",
      page: """
        {"invoices": [
          {"id": 1, "invoice_number": 17, "date": "31/05/2024", "due_date": "30/06/2024",
           "status": "Paid", "total": 12.5, "balance": 0, "customer_name": "Ada Lovelace"},
          {"id": 2, "invoice_number": 18, "date": "01/06/2024", "due_date": "01/07/2024",
           "status": "Overdue", "total": 7, "balance": 7, "customer_name": "Grace Hopper"}],
         "page": 1, "total_pages": 2, "total": 2}
        """,
      end: #"{"invoices": [], "page": 2, "total_pages": 2, "total": 2}"#,
      invoices: [
        "1 17 paid 2024-05-31 2024-06-30 12.5 0 Ada Lovelace",
        "2 18 open 2024-06-01 2024-07-01 7 7 Grace Hopper",
      ],
      expected: [
        "baseURL: \"https://api.acme.example\"", "path: /invoices", "include: lines",
        "count: total", "currency: { value: EUR }",
        "paging: { style: page, parameter: page, total: total_pages, sizeParameter: per_page, "
          + "size: 50 }",
        "issueDate: { path: date, form: dd/mm/yyyy }", "Paid: paid", "Overdue: open",
      ]),
    Shape(
      testDescription: "a bare list with a header field Link",
      link: "<https://api.acme.example/v1/invoices?page=2>; rel=\"next\"",
      page: """
        [{"uuid": "b-1", "document_number": "R1", "paid": true, "total": "1.234,50",
          "currency": "EUR", "client": "Ada Lovelace"},
         {"uuid": "b-2", "document_number": "R2", "paid": false, "total": "7,00",
          "currency": "EUR", "client": "Grace Hopper"}]
        """,
      invoices: [
        "b-1 R1 paid - - 1234.50 - Ada Lovelace", "b-2 R2 open - - 7.00 - Grace Hopper",
      ],
      expected: [
        "rows: \".\"", "paging: { style: link }", "money: comma-decimal", "id: uuid",
        "name: client",
      ]),
    Shape(
      testDescription: "cents, seconds since 1970 and a cursor",
      page: """
        {"object": "list", "has_more": true, "next_cursor": "c2", "data": [
          {"id": "in_1", "number": "A-1", "kind": "credit_note", "status": "void",
           "currency": "usd", "total_cents": 1250, "amount_due_cents": 0, "created": 1717113600,
           "due_date": 1719705600},
          {"id": "in_2", "number": "A-2", "kind": "invoice", "status": "draft", "currency": "usd",
           "total_cents": 99, "amount_due_cents": 99, "created": 1717200000, "due_date": null}]}
        """,
      end: #"{"object": "list", "has_more": false, "next_cursor": null, "data": []}"#,
      invoices: [
        "in_1 A-1 void 2024-05-31 2024-06-30 12.50 0.00 -",
        "in_2 A-2 draft 2024-06-01 - 0.99 0.99 -",
      ],
      expected: [
        "rows: data", "money: minor-units", "status: status", "credit_note: credit-note",
        "paging: { style: token, parameter: cursor, field: next_cursor, more: has_more }",
        "total: total_cents", "issueDate: { path: created, form: epoch-seconds }",
      ]),
    Shape(
      testDescription: "OData, with each row in an object of its own",
      page: """
        {"@odata.context": "x", "@odata.count": 1,
         "@odata.nextLink": "https://api.acme.example/v1/invoices?$skip=2", "value": [
          {"invoice": {"invoiceId": "9", "invoiceNo": "N-9", "invoiceStatus": "Cancelled",
           "currencyCode": "NOK", "invoiceDate": "2024-05-31T00:00:00",
           "lastModified": "2024-05-31T08:00:00", "totalInclTax": 10.00}}]}
        """,
      end: #"{"@odata.count": 1, "value": []}"#,
      invoices: ["9 N-9 void 2024-05-31 - 10.00 - -"],
      expected: [
        "rows: value", "paging: { style: next, field: \"@odata.nextLink\" }",
        "count: \"@odata.count\"", "id: invoice.invoiceId", "Cancelled: void",
        "updatedAt: { path: invoice.lastModified, form: without-zone }",
      ]),
    Shape(
      testDescription: "a mark of more rows without a cursor",
      page: """
        {"has_more": true, "bills": [
          {"document_id": "d1", "type": "bill", "status": "open", "amount": "5", "tax": "1"}]}
        """,
      end: #"{"has_more": false, "bills": []}"#, invoices: ["d1 - open - - 5 - -"],
      expected: [
        "type: type",
        "paging: { style: cursor, parameter: starting_after, field: document_id, more: has_more }",
      ]),
    Shape(
      testDescription: "skipped rows",
      url: "https://api.acme.example/v1/invoices?offset=0&limit=2",
      page: """
        {"offset": 0, "limit": 2, "total": 1, "results": [
          {"id": "e1", "status": "open", "total": 5, "supplier": {"name": "Ada Lovelace"}}]}
        """,
      end: #"{"offset": 2, "limit": 2, "total": 1, "results": []}"#,
      invoices: ["e1 - open - - 5 - Ada Lovelace"],
      expected: [
        "count: total", "rows: results",
        "paging: { style: offset, parameter: offset, sizeParameter: limit, size: 2 }",
      ]),
    Shape(
      testDescription: "contacts",
      url: "https://api.acme.example/v1/customers",
      page: """
        {"result": [{"id": 5, "company": "Ada Ltd", "email": "ada@example.com", "phone": "1"}]}
        """,
      expected: ["contacts:", "name: company", "email: email", "paging: { style: none }"]),
  ]

  @Test("a contact of one word with a digit is an identifier, and another one a name")
  func contacts() throws {
    func proposal(_ contact: String) throws -> String {
      let page = #"[{"id": "a", "total": "1.00", "contact": "\#(contact)"}]"#
      return try Shape(testDescription: "", page: page, expected: []).proposal().yaml
    }
    #expect(try proposal("ct_01").contains("  id: contact  #"))
    #expect(try proposal("R2 GmbH").contains("  name: contact  #"))
  }

  @Test("a proposal states what the page shows, and no record's data", arguments: shapes)
  func lines(shape: Shape) throws {
    let proposal = try shape.proposal()
    let lines = proposal.yaml.split(separator: "\n").map {
      $0.split(separator: "  #")[0].trimmingCharacters(in: .whitespaces)
    }
    #expect(proposal.missing.isEmpty)
    for line in shape.expected { #expect(lines.contains(line), "\(line)\n\(proposal.yaml)") }
    for data in ["Ada", "Grace", "ada@", "INV-1", "119.00", "1717113600"] {
      #expect(!proposal.yaml.contains(data))
    }
  }

  @Test("a proposal loads, and reads the very page into the right records", arguments: shapes)
  func records(shape: Shape) async throws {
    let yaml = try shape.proposal().yaml
    let configuration = try CoreConfiguration(yaml: yaml)
    let provider = try configuration.provider("acme")
    #expect(configuration.accounts["acme"]?.provider == "acme")
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("test.sqlite"))
    let session = Session(
      name: "acme", configuration: SessionConfiguration(), middleware: [Server(shape: shape)],
      logger: .silent)
    let context = ProviderContext(
      account: "acme", baseURL: try provider.baseURL(ProviderEndpoints()), tenantID: nil)
    let resource: Resource = shape.invoices.isEmpty ? .contacts : .invoices
    let sample = try #require(
      try await provider.sample(of: resource, in: context, over: session))
    #expect(sample.failures.isEmpty && sample.fields.allSatisfy { $0.problem == nil }, "\(yaml)")
    for field in sample.fields where field.field == "lines[0].taxRate" {
      #expect(field.value == "19")
    }
    let sync = try #require(
      provider.sync(resource, in: context, over: session, into: database, logger: .silent))
    let report = try await sync.run()
    #expect(report.result == .complete && report.counts.inserted == max(1, shape.invoices.count))
    var query = InvoiceQuery()
    query.includesVoidAndDeleted = true
    let invoices = try await database.invoices(matching: query).map { Self.text($0.invoice) }
    #expect(invoices.sorted() == shape.invoices, "\(yaml)")
    await session.shutdown()
    try await database.close()
  }

  private static func text(_ invoice: Invoice) -> String {
    let parts = [
      invoice.id, invoice.number, invoice.status.rawValue,
      invoice.issueDate?.description,
      invoice.dueDate?.description, invoice.total.description, invoice.amountDue?.description,
      invoice.contact.name,
    ]
    return parts.map { $0 ?? "-" }.joined(separator: " ")
  }

  @Test("a page that lacks a required field is described with a placeholder, and says so")
  func missing() throws {
    let shape = Shape(
      testDescription: "", page: #"[{"id": 1, "number": "A", "status": "sent", "note": "x"}]"#,
      expected: [])
    let proposal = try shape.proposal()
    #expect(proposal.missing == ["total"])
    #expect(proposal.yaml.contains("# Nothing was found for: total. appcore refuses this file\n"))
    #expect(proposal.yaml.contains("# TO COMPLETE: total: PATH\n"))
    #expect(throws: ConfigurationError.self) { try CoreConfiguration(yaml: proposal.yaml) }
    let completed = proposal.yaml.replacing("# TO COMPLETE: total: PATH", with: "total: id")
    #expect(try CoreConfiguration(yaml: completed).accounts["acme"] != nil)
  }

  @Test(
    "a page without a list of objects is refused with what came",
    arguments: [
      ("<html>", "the response is not JSON; the server calls it 'application/json'"),
      (#"{"error": "none", "data": []}"#, "no list of objects; its members: 'error', 'data'"),
      ("[1, 2]", "the page has no list of objects"),
    ])
  func refused(page: String, problem: String) {
    #expect {
      _ = try Shape(testDescription: "", page: page, expected: []).proposal()
    } throws: { error in
      let refusal = error as? PageRefusal
      return refusal?.code == .unreadableData && refusal?.problem.hasSuffix(problem) == true
    }
  }

  @Test("keys with dots, quotes and line ends neither break the YAML nor reach it")
  func oddKeys() throws {
    let page = #"""
      [{"id": "1", "a.b": {"total": "1.00"}, "x\ny": {"number": "1"}, "u\u2028v": {"date": "2024-05-31"},
        "\"]": 1, "": 2,
        "status": "a: b # c"}]
      """#
    let proposal = try Shape(testDescription: "", page: page, expected: []).proposal()
    #expect(proposal.missing == ["total"])
    #expect(proposal.yaml.contains("# \"a: b # c\": open"))
    #expect(!proposal.yaml.contains("\u{2028}") && !proposal.yaml.contains("number"))
  }
}
