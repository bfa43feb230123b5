import Documents
import Foundation
import HTTPTypes
import Models
import Networking
import Sync
import Testing

@testable import Providers

/// The files of Stripe's invoices.
@Suite(.timeLimit(.minutes(10))) struct StripeDocumentTests {
  @Test(
    "the record is read again for the link to its PDF",
    arguments: [
      (InvoiceType.invoice, "in_1", "invoices", "invoice_pdf"),
      (.creditNote, "cn_1", "credit_notes", "pdf"),
    ])
  func link(type: InvoiceType, id: String, list: String, member: String) throws {
    let source = try DocumentFixture.source(StripeProvider(), tenantID: "acct_1")
    let invoice = try DocumentFixture.invoice(id, type)
    #expect(source.kinds == [.pdf] && source.renders(.pdf, of: invoice))
    let place = try source.place(of: .pdf, of: invoice)
    #expect(!place.isFile)
    #expect(place.request.url.absoluteString == "https://api.vendor.test/v1/\(list)/\(id)")
    #expect(place.request.fields[.accept] == "application/json")
    #expect(place.request.field("Stripe-Account") == "acct_1")
    #expect(place.request.field("Stripe-Version") == "2024-06-20")
    let address = "https://pay.stripe.test/acct_1/secret/pdf?s=ap"
    let found = try place.readLink(
      in: #"{"id":"\#(id)","other":{"\#(member)":"x"},"\#(member)":"\#(address)"}"#)
    #expect(found?.absoluteString == address)
    for absent in [#","\#(member)":null"#, #","\#(member)":"""#, ""] {
      #expect(try place.readLink(in: #"{"id":"\#(id)"\#(absent)}"#) == nil)
    }
  }

  @Test("drafts have no PDF, and no invoice has attachments")
  func none() throws {
    let source = try DocumentFixture.source(StripeProvider(), tenantID: nil)
    #expect(!source.renders(.pdf, of: try DocumentFixture.invoice("1", .invoice, .draft)))
    #expect(source.renders(.pdf, of: try DocumentFixture.invoice("1", .invoice, .void)))
    #expect(try source.attachments(of: DocumentFixture.invoice("1")).isNone)
    let request = try source.place(of: .pdf, of: DocumentFixture.invoice("1")).request
    #expect(request.field("Stripe-Account") == nil)
  }

  @Test(
    "a response without a usable link is an error that does not repeat it",
    arguments: [
      "", "<html>canary</html>", "[]", "{}",
      #"{"id":"in_2","invoice_pdf":"https://x.test/canary"}"#,
      #"{"id":"in_1","invoice_pdf":"http://x.test/canary"}"#,
      #"{"id":"in_1","invoice_pdf":"/canary"}"#, #"{"id":"in_1","invoice_pdf":"data:canary"}"#,
      #"{"id":"in_1","invoice_pdf":7}"#,
      #"{"id":"in_1","invoice_pdf":"https://x.test/canary","invoice_pdf":null}"#,
      #"{"error":{"message":"canary"}}"#,
    ])
  func unreadable(body: String) throws {
    let source = try DocumentFixture.source(StripeProvider())
    let place = try source.place(of: .pdf, of: try DocumentFixture.invoice("in_1"))
    let error = #expect(throws: SyncError.self) { try place.readLink(in: body) }
    #expect(!"\(try #require(error))".contains("canary"))
  }

  @Test("a link may be http only if the API is, as on this machine")
  func plain() throws {
    let source = try DocumentFixture.source(StripeProvider(), at: "http://127.0.0.1:8080")
    let place = try source.place(of: .pdf, of: try DocumentFixture.invoice("in_1"))
    let body = #"{"id":"in_1","invoice_pdf":"http://127.0.0.1:9090/pdf"}"#
    #expect(try place.readLink(in: body)?.absoluteString == "http://127.0.0.1:9090/pdf")
    #expect(throws: SyncError.self) {
      try place.readLink(in: #"{"id":"in_1","invoice_pdf":"file:///etc/passwd"}"#)
    }
  }
}
