import Documents
import Foundation
import HTTPTypes
import Models
import Networking
import Sync
import Testing

@testable import Providers

/// The files of Xero's invoices.
@Suite(.timeLimit(.minutes(10))) struct XeroDocumentTests {
  @Test(
    "a PDF is the record itself, requested as one",
    arguments: [(InvoiceType.invoice, "Invoices"), (.creditNote, "CreditNotes")])
  func pdf(type: InvoiceType, list: String) throws {
    let source = try DocumentFixture.source(XeroProvider())
    let invoice = try DocumentFixture.invoice("a-1", type)
    #expect(source.renders(.pdf, of: invoice) && !source.renders(.ubl, of: invoice))
    let place = try source.place(of: .pdf, of: invoice)
    let request = place.request
    #expect(place.isFile && request.method == .get)
    #expect(request.url.absoluteString == "https://api.vendor.test/api.xro/2.0/\(list)/a-1")
    #expect(request.fields[.accept] == "application/pdf" && request.field("xero-tenant-id") == "42")
  }

  @Test("bills and what was not issued or was withdrawn have no PDF")
  func noPDF() throws {
    let source = try DocumentFixture.source(XeroProvider())
    for type in [InvoiceType.bill, .billCredit] {
      #expect(!source.renders(.pdf, of: try DocumentFixture.invoice("1", type)))
    }
    for status in InvoiceStatus.allCases {
      let isRendered = ![InvoiceStatus.draft, .scheduled, .void, .deleted].contains(status)
      let invoice = try DocumentFixture.invoice("1", .invoice, status)
      #expect(source.renders(.pdf, of: invoice) == isRendered, "\(status)")
    }
  }

  @Test("attachments are listed if the record has some, and taken from it if it does not say")
  func attachmentLists() throws {
    let source = try DocumentFixture.source(XeroProvider())
    var bill = try DocumentFixture.invoice("b", .bill)
    #expect(try source.attachments(of: bill).knownAttachments == [])
    bill.attachments = [
      AttachmentReference(id: "7", fileName: "a.png", mediaType: "image/png"),
      AttachmentReference(fileName: "without an identifier"),
    ]
    #expect(
      try source.attachments(of: bill).knownAttachments
        == [InvoiceAttachment(id: "7", name: "a.png", mediaType: "image/png")])
    bill.hasAttachments = false
    #expect(try source.attachments(of: bill).isNone)
    bill.hasAttachments = true
    let request = try #require(try source.attachments(of: bill).listRequest)
    #expect(
      request.url.absoluteString == "https://api.vendor.test/api.xro/2.0/Invoices/b/Attachments")
    #expect(
      request.fields[.accept] == "application/json" && request.field("xero-tenant-id") == "42")
    bill.type = .billCredit
    #expect(
      try source.attachments(of: bill).listRequest?.url.path()
        == "/api.xro/2.0/CreditNotes/b/Attachments")
  }

  @Test("the list of attachments is read with names as they are and odd fields left out")
  func reading() throws {
    let source = try DocumentFixture.source(XeroProvider())
    var invoice = try DocumentFixture.invoice("1")
    invoice.hasAttachments = true
    let list = try source.attachments(of: invoice)
    let read = try list.read(
      #"""
      {"Id": "x", "Status": "OK", "Attachments": [
        {"AttachmentID": "9808ad7f", "FileName": "../../.bashrc\u0000\u202Efdp", "Url": "https://x",
         "MimeType": "image/jpg", "ContentLength": 2878711, "IncludeOnline": false},
        {"AttachmentID": "2", "FileName": null, "MimeType": [], "ContentLength": -1},
        {"AttachmentID": "3", "ContentLength": "12", "MimeType": ""},
        {"AttachmentID": "4", "ContentLength": 1.5}
      ]}
      """#)
    #expect(
      read == [
        InvoiceAttachment(
          id: "9808ad7f", name: "../../.bashrc\u{0}\u{202E}fdp", mediaType: "image/jpg",
          size: 2_878_711),
        InvoiceAttachment(id: "2"), InvoiceAttachment(id: "3", size: 12),
        InvoiceAttachment(id: "4"),
      ])
    #expect(try list.read(#"{"Attachments": []}"#).isEmpty)
    #expect(try list.read(#"{"Attachments": null}"#).isEmpty)
  }

  @Test(
    "a list that cannot be read is an error, never an empty list",
    arguments: [
      "", "<html>", "[]", "{}", #"{"Attachments": {}}"#, #"{"Attachments": [{}]}"#,
      #"{"Attachments": ["a"]}"#, #"{"Attachments": [{"AttachmentID": ""}]}"#,
      #"{"Attachments": [{"AttachmentID": "1"}"#,
      #"{"Attachments": [{"AttachmentID": "1", "AttachmentID": "2"}]}"#,
    ])
  func unreadable(body: String) throws {
    let source = try DocumentFixture.source(XeroProvider())
    var invoice = try DocumentFixture.invoice("1")
    invoice.hasAttachments = true
    let list = try source.attachments(of: invoice)
    #expect(throws: SyncError.self) { try list.read(body) }
  }

  @Test("an attachment is requested by its identifier, with the type that Xero requires")
  func attachment() throws {
    let source = try DocumentFixture.source(XeroProvider())
    let invoice = try DocumentFixture.invoice("1")
    for (type, sent) in [
      ("image/jpg", "image/jpg"), (nil, "application/octet-stream"),
      ("a\r\nX: y", "application/octet-stream"),
    ] {
      let place = try source.place(
        of: InvoiceAttachment(id: "7", name: "a", mediaType: type), of: invoice)
      #expect(place.isFile && place.request.url.path() == "/api.xro/2.0/Invoices/1/Attachments/7")
      #expect(place.request.field("contentType") == sent)
      #expect(place.request.fields[.contentType] == nil)
    }
    #expect(source.scope(for: .attachment) == "accounting.attachments.read")
    #expect(source.scope(for: .pdf) == nil)
    #expect(XeroProvider().profile.scopes.contains("accounting.attachments.read"))
  }
}
