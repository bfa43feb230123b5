import Foundation
import Models
import Storage
import TestSupport
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

/// Fields that a row does not have as they are needed.
@Suite(.timeLimit(.minutes(10))) struct RESTComputedTests {
  /// A list as one ticket shop has it: the number is the key, the total is nowhere, the customer is
  /// a company or a person, texts hold HTML, and the next page is named by its whole address.
  private static func resource() throws -> RESTResource {
    var resource = RESTResource(.invoices, path: "/invoices/")
    resource.rows = try RESTFixture.path("results")
    resource.paging = RESTPaging(.next)
    resource.paging.field = try RESTFixture.path("next")
    resource.count = try RESTFixture.path("count")
    resource.forms.money = .text
    func field(_ paths: String...) throws -> RESTField {
      RESTField(.paths(try paths.map(RESTFixture.path)))
    }
    var html = try field("description")
    html.textForm = .html
    resource.fields.fields = [
      "id": try field("number"), "number": try field("number"),
      "type": RESTField(.constant("invoice")), "status": RESTField(.constant("open")),
      "currency": RESTField(.constant("EUR")), "issueDate": try field("date"),
      "contact.name": try field("invoice_to_company", "invoice_to_name"),
      "total": RESTField(.sum(list: "lines", field: "lineAmount")),
      "linesIncludeTax": try field("gross", "old_gross"),
    ]
    resource.fields.lists = [
      "lines": RESTList(
        path: try RESTFixture.path("lines"),
        fields: ["description": html, "lineAmount": try field("gross_value")])
    ]
    return resource
  }

  /// - Parameter company: the company, as JSON.
  private static func row(
    _ number: Int, company: String = #""""#, lines: String
  ) -> String {
    """
    {"number":"X-\(number)","date":"2024-05-31","invoice_to_company":\(company),
     "invoice_to_name":"Ada","lines":[\(lines)]}
    """
  }

  private func read(_ rows: [String]) async throws -> [String: Invoice] {
    let url = try #require(URL(string: "https://shop.example/api/v1"))
    let server = AnsweringServer { _, query in
      let page = Int(query["page"] ?? "1") ?? 1
      let next =
        page < rows.count ? "\"https://shop.example/api/v1/invoices/?page=\(page + 1)\"" : "null"
      return (
        200, "{\"count\":\(rows.count),\"next\":\(next),\"results\":[\(rows[page - 1])]}"
      )
    }
    let description = try RESTDescription(baseURL: url, resources: [try Self.resource()])
    let feed = RESTFeed(
      Invoice.self, provider: "shop", resource: description.resources[0], baseURL: url)
    var found: [Invoice] = []
    try await server.run(feed) { sync, database in
      let report = try await sync.run()
      found = try await database.invoices(matching: InvoiceQuery()).map(\.invoice)
      // An unreadable row is reported with the path of the missing part.
      #expect(report.failureCount == rows.count - found.count)
      #expect(report.failures.allSatisfy { $0.path == "lines[1].gross_value" })
      var query = InvoiceQuery()
      query.includesLines = true
      found = try await database.invoices(matching: query).map(\.invoice)
    }
    return Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
  }

  @Test("a total is the exact sum of its lines, and absent if a part of it is missing")
  func sums() async throws {
    let found = try await read([
      Self.row(1, lines: #"{"gross_value":"0.10"},{"gross_value":"0.20"},{"gross_value":"-7"}"#),
      Self.row(2, lines: #"{"gross_value":"12345678901234567890.01"},{"gross_value":"0.001"}"#),
      Self.row(3, lines: #"{"gross_value":"1.00"},{"other":"2.00"}"#),
      Self.row(4, lines: ""),
    ])
    #expect(found["X-1"]?.total.description == "-6.70")
    #expect(found["X-2"]?.total.description == "12345678901234567890.011")
    #expect(found["X-3"] == nil)
    #expect(found["X-4"]?.total == .zero)
    // Edge case 55: in binary it would be 0.30000000000000004.
    #expect(found["X-1"]?.lines.count == 3)
  }

  @Test("the first of several paths that has a value counts")
  func places() async throws {
    let line = #"{"gross_value":"1.00"}"#
    let found = try await read([
      Self.row(1, company: #""Acme""#, lines: line), Self.row(2, lines: line),
      Self.row(3, company: #""  ""#, lines: line), Self.row(4, company: "false", lines: line),
      Self.row(5, company: "{}", lines: line), Self.row(6, company: "[]", lines: line),
      Self.row(7, company: #"{"name":"Acme"}"#, lines: line),
      Self.row(8, company: "null", lines: line),
    ])
    #expect(found["X-1"]?.contact.name == "Acme")
    for number in 2...8 { #expect(found["X-\(number)"]?.contact.name == "Ada", "\(number)") }
  }

  @Test("false is a value of a field that is true or false, also at the first of several paths")
  func flags() async throws {
    let found = try await read(
      [
        #""gross":false,"old_gross":true"#, #""gross":false"#, #""old_gross":true"#,
        #""gross":true"#,
      ]
      .enumerated().map { number, members in
        #"{"number":"X-\#(number)","date":"2024-05-31","invoice_to_name":"Ada","lines":[],\#(members)}"#
      })
    #expect((0..<4).map { found["X-\($0)"]?.linesIncludeTax } == [false, false, true, true])
  }

  @Test("a text with HTML is stored as lines of plain text")
  func html() async throws {
    let found = try await read([
      Self.row(
        1, lines: #"{"gross_value":"1","description":"Early bird<br />M&uuml;ller &amp; Co"}"#)
    ])
    #expect(found["X-1"]?.lines.first?.description == "Early bird\nMüller & Co")
  }

  @Test(
    "tags and entities become what a browser shows",
    arguments: [
      ("plain", "plain"), ("a<br>b<BR/>c", "a\nb\nc"), ("<p>a</p><p>b</p>", "a\n\nb"),
      ("<ul><li>a</li><li>b</li></ul>", "a\nb"), ("a\n  b", "a b"),
      ("1 < 2 & 3 > 2", "1 < 2 & 3 > 2"),
      ("&lt;b&gt; &#38; &#x20AC;", "<b> & €"), ("<b>bold</b> <a href=\"x\">link</a>", "bold link"),
      ("a<script>b < c</script>d<!-- e -->f", "adf"),
      ("&unknown; &#xFFFFFFFF; &#xD800;", "&unknown; &#xFFFFFFFF; &#xD800;"),
      ("<br /> <br />", ""), ("a&nbsp;b", "a b"), ("<unfinished", "<unfinished"), ("", ""),
      ("</script", "</script"), ("<style>a", ""),
    ])
  func flattened(html: String, text: String) {
    #expect(HTMLText(html).plain == text)
  }

  @Test("the time to flatten a text grows with its length, whatever it holds")
  func hostile() {
    for piece in ["<", "</", "<a", "&", "&#", "<script></", "<br>", "<p"] {
      _ = HTMLText(String(repeating: piece, count: 50_000)).plain
    }
  }

  @Test("a reading shows the path of its value, and the parts of a sum")
  func readings() throws {
    let schema = RESTSchema.of(.invoices)
    let resource = try Self.resource()
    let row = RESTRow(
      .object([
        "number": .text("X-1"), "invoice_to_company": .text(""), "invoice_to_name": .text("Ada"),
        "lines": .list([
          .object(["gross_value": .text("1.50"), "description": .text("a<br />b")]),
          .object(["gross_value": .text("2.00")]),
        ]),
      ]), resource.fields, resource.forms)
    let readings = Dictionary(
      uniqueKeysWithValues: row.readings(schema).map { ($0.field, $0) })
    #expect(readings["contact.name"]?.path == "invoice_to_name")
    #expect(readings["contact.name"]?.value == "Ada")
    #expect(readings["total"]?.path == "lines[].gross_value")
    #expect(readings["total"]?.found == "a sum of 2" && readings["total"]?.value == "3.50")
    #expect(readings["lines[0].description"]?.found == "\"a<br />b\"")
    #expect(readings["lines[0].description"]?.value == "a\nb")
    #expect(readings["currency"]?.path == nil)
  }
}
