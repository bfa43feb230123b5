import Documents
import Foundation
import HTTPTypes
import Models
import Networking
import Sync
import Testing

@testable import Providers

/// The files of a company's documents in QuickBooks.
@Suite(.timeLimit(.minutes(10))) struct QuickBooksDocumentTests {
  @Test(
    "a PDF is requested of the kind of document, by the identifier of its kind",
    arguments: [
      (InvoiceType.invoice, "129", "invoice/129"),
      (.creditNote, "creditmemo/130", "creditmemo/130"),
    ])
  func pdf(type: InvoiceType, id: String, path: String) throws {
    let source = try DocumentFixture.source(QuickBooksProvider())
    let invoice = try DocumentFixture.invoice(id, type)
    #expect(source.renders(.pdf, of: invoice) && !source.renders(.ubl, of: invoice))
    let place = try source.place(of: .pdf, of: invoice)
    #expect(place.isFile && place.request.fields[.accept] == "application/pdf")
    #expect(
      place.request.url.absoluteString
        == "https://api.vendor.test/v3/company/42/\(path)/pdf?minorversion=75")
    for type in [InvoiceType.bill, .billCredit] {
      #expect(!source.renders(.pdf, of: try DocumentFixture.invoice("bill/1", type)))
    }
  }

  @Test("the list of attachments is one, in pages, each row at the invoices that it names")
  func wholeList() throws {
    let url = try #require(URL(string: "https://api.vendor.test"))
    var source = QuickBooksDocuments(baseURL: url, realmID: "42")
    source.pageSize = 5
    #expect(try source.attachments(of: DocumentFixture.invoice("1")).isInWholeList)
    let list = try #require(source.wholeAttachmentList)
    func query(_ request: Request?) -> String? {
      let items = request.flatMap {
        URLComponents(url: $0.url, resolvingAgainstBaseURL: true)?.queryItems
      }
      return items?.first { $0.name == "query" }?.value
    }
    #expect(list.first.url.path() == "/v3/company/42/query")
    #expect(
      query(list.first) == "select * from Attachable orderby Id startposition 1 maxresults 5")
    let body = #"""
      {"QueryResponse": {"startPosition": 1, "maxResults": 5, "Attachable": [
        {"Id": "50", "FileName": "receipt.jpg", "Size": 82000, "ContentType": "image/jpeg",
         "TempDownloadUri": "https://files.test/secret",
         "AttachableRef": [{"EntityRef": {"value": "95", "type": "Invoice"}},
                           {"EntityRef": {"value": "95", "type": "bill"}},
                           {"EntityRef": {"value": "95", "type": "Invoice"}, "LineInfo": "1"}]},
        {"Id": "51", "Note": "only a note",
         "AttachableRef": [{"EntityRef": {"value": "95", "type": "Invoice"}}]},
        {"Id": "52", "FileName": "of a customer",
         "AttachableRef": [{"EntityRef": {"value": "95", "type": "Customer"}}]},
        {"Id": 53, "FileName": "both.pdf", "Size": "7",
         "AttachableRef": [{"EntityRef": {"value": 4, "type": "CREDITMEMO"}},
                           {"EntityRef": {"value": "5", "type": "VendorCredit"}}, {}, 7]},
        {"Id": "54", "FileName": "of nothing"}
      ]}, "time": "2026-01-01T00:00:00Z"}
      """#
    let page = try list.read(.canned(200, body), list.first)
    let receipt = InvoiceAttachment(
      id: "50", name: "receipt.jpg", mediaType: "image/jpeg", size: 82_000)
    let both = InvoiceAttachment(id: "53", name: "both.pdf", size: 7)
    #expect(
      page.attachments.map(\.invoice) == ["95", "bill/95", "creditmemo/4", "vendorcredit/5"])
    #expect(page.attachments.map(\.attachment) == [receipt, receipt, both, both])
    let next = try #require(page.next)
    #expect(query(next) == "select * from Attachable orderby Id startposition 6 maxresults 5")
    let last = try list.read(.canned(200, #"{"QueryResponse": {}}"#), next)
    #expect(last.attachments.isEmpty && last.next == nil)
    let further = try list.read(.canned(200, body), next).next
    #expect(query(further)?.contains("startposition 11 ") == true)
  }

  @Test(
    "a list that is no list is an error",
    arguments: [
      "", "<html>", "{}", #"{"QueryResponse": {"Attachable": 1}}"#,
      #"{"QueryResponse": {"Attachable": [{"FileName": "a", "AttachableRef": ["#
        + #"{"EntityRef": {"type": "Bill", "value": "1"}}]}]}}"#,
      #"{"Fault": {"Error": [{"code": "3200"}], "type": "AUTHENTICATION"}}"#,
    ])
  func unreadable(body: String) throws {
    let source = try DocumentFixture.source(QuickBooksProvider())
    let list = try #require(source.wholeAttachmentList)
    #expect(throws: SyncError.self) { try list.read(.canned(200, body), list.first) }
  }

  @Test("each attachment has a new link, in plain text or in quotes")
  func link() throws {
    let source = try DocumentFixture.source(QuickBooksProvider())
    let place = try source.place(
      of: InvoiceAttachment(id: "50"), of: try DocumentFixture.invoice("1"))
    #expect(
      place.request.url.absoluteString
        == "https://api.vendor.test/v3/company/42/download/50?minorversion=75")
    #expect(place.request.fields[.accept] == "text/plain")
    let link = "https://files.test/a%20b?Signature=x%2By&default=1"
    for body in [
      link, " \(link)\r\n", "\"\(link)\"", "\"\(link.replacing("&", with: "\\u0026"))\"",
    ] {
      #expect(try place.readLink(in: body)?.absoluteString == link)
    }
  }

  @Test(
    "what is no https link is an error that does not repeat it",
    arguments: [
      "", "null", "http://files.test/canary", "file:///etc/canary", "javascript:canary",
      "//files.test/canary", "/canary", "\"https://files.test/canary", "<html>canary</html>",
      #"{"Fault": {"Error": [{"Message": "canary", "code": "610"}], "type": "ValidationFault"}}"#,
    ])
  func badLink(body: String) throws {
    let source = try DocumentFixture.source(QuickBooksProvider())
    let place = try source.place(
      of: InvoiceAttachment(id: "50"), of: try DocumentFixture.invoice("1"))
    let error = #expect(throws: SyncError.self) { try place.readLink(in: body) }
    #expect(!"\(try #require(error))".contains("canary"))
  }
}
