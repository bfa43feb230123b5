import Documents
import Foundation
import HTTPTypes
import Models
import Networking
import Testing

@testable import Providers

/// The files of Moneybird's sales invoices.
@Suite(.timeLimit(.minutes(10))) struct MoneybirdDocumentTests {
  @Test(
    "the PDF and the e-invoice are requested of the administration",
    arguments: [(DocumentKind.pdf, "download_pdf"), (.ubl, "download_ubl")])
  func rendered(kind: DocumentKind, name: String) throws {
    let source = try DocumentFixture.source(MoneybirdProvider())
    let invoice = try DocumentFixture.invoice("496", .creditNote)
    #expect(source.kinds == [.pdf, .ubl, .attachment] && source.renders(kind, of: invoice))
    let place = try source.place(of: kind, of: invoice)
    #expect(place.isFile && place.request.fields[.accept] == "*/*")
    #expect(
      place.request.url.absoluteString
        == "https://api.vendor.test/api/v2/42/sales_invoices/496/\(name)")
    for status in [InvoiceStatus.draft, .scheduled] {
      #expect(!source.renders(kind, of: try DocumentFixture.invoice("1", .invoice, status)))
    }
  }

  @Test("attachments are those of the record, as the list is read")
  func attachments() throws {
    let source = try DocumentFixture.source(MoneybirdProvider())
    let page = try MoneybirdPage<MoneybirdInvoices>(
      Array(MoneybirdSamples.invoice.utf8), sentAt: nil)
    let invoice = try #require(page.records.first)
    let known = try #require(try source.attachments(of: invoice).knownAttachments)
    #expect(
      known == [
        InvoiceAttachment(id: "88", name: "hours.pdf", mediaType: "application/pdf", size: 4)
      ])
    let place = try source.place(of: known[0], of: invoice)
    #expect(place.isFile)
    #expect(
      place.request.url.path()
        == "/api/v2/42/sales_invoices/496081512464123498/attachments/88/download")
    #expect(try source.attachments(of: DocumentFixture.invoice("1")).knownAttachments == [])
    #expect(source.scope(for: .attachment) == nil)
  }

  @Test(
    "invoices of other programs and of suppliers have attachments, and no PDF",
    arguments: [
      ("external/9", InvoiceType.invoice, "external_sales_invoices/9"),
      ("9", .bill, "documents/purchase_invoices/9"),
      ("9", .billCredit, "documents/purchase_invoices/9"),
    ])
  func others(id: String, type: InvoiceType, path: String) throws {
    let source = try DocumentFixture.source(MoneybirdProvider())
    let invoice = try DocumentFixture.invoice(id, type)
    #expect(!source.renders(.pdf, of: invoice) && !source.renders(.ubl, of: invoice))
    let place = try source.place(of: InvoiceAttachment(id: "88", name: nil), of: invoice)
    #expect(place.request.url.path() == "/api/v2/42/\(path)/attachments/88/download")
  }
}
