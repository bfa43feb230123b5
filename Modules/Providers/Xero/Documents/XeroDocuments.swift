import Documents
import Foundation
import HTTPTypes
import JSONReading
import Models
import Networking
import Sync

/// The files of Xero's invoices, bills and credit notes.
///
/// A PDF is the record itself, requested with `Accept: application/pdf`; the `/pdf` of Xero's
/// specification is no path (its `x-path` says so):
/// https://developer.xero.com/documentation/api/accounting/invoices. The specification speaks of
/// purchase bills too, but Xero's own forms render sales only, so no bill is requested.
///
/// https://developer.xero.com/documentation/api/accounting/attachments: up to ten files for each
/// record. They are requested by identifier, because a name may hold anything.
struct XeroDocuments: DocumentSource {
  let baseURL: URL
  let tenantID: String?

  let kinds: Set<DocumentKind> = [.pdf, .attachment]

  func renders(
    _ kind: DocumentKind, of id: String, as type: InvoiceType, with status: InvoiceStatus
  ) -> Bool {
    kind == .pdf && [.invoice, .creditNote].contains(type)
      && ![.draft, .scheduled, .void, .deleted].contains(status)
  }

  func place(of kind: DocumentKind, of invoice: Invoice) throws -> DocumentPlace {
    .file(try request([], of: invoice, accept: "application/pdf"))
  }

  /// Returns the list of the files that the record announces; a record that does not say whether it
  /// has any may name them itself.
  func attachments(of invoice: Invoice) throws -> AttachmentList {
    switch invoice.hasAttachments {
    case true?:
      .request(
        try request(["Attachments"], of: invoice, accept: "application/json"),
        read: { try Self.attachments(in: $0.body) })
    case false?: .none
    case nil: .known(invoice.namedAttachments)
    }
  }

  func place(of attachment: Attachment, of invoice: Invoice) throws -> DocumentPlace {
    let content = "application/octet-stream"
    var request = try request(["Attachments", attachment.id], of: invoice, accept: content)
    // Xero requires this field, which is another one than Content-Type.
    let type = attachment.mediaType ?? content
    try request.setField("contentType", to: HTTPField.isValidValue(type) ? type : content)
    return .file(request)
  }

  // https://developer.xero.com/documentation/guides/oauth2/scopes/
  func scope(for kind: DocumentKind) -> String? {
    kind == .attachment ? XeroProvider.attachmentScope : nil
  }

  private func request(
    _ parts: [String], of invoice: Invoice, accept: String
  ) throws(SessionError) -> Request {
    let isCredit = [.creditNote, .billCredit].contains(invoice.type)
    let list = isCredit ? XeroCreditNotes.path : XeroInvoices.path
    let url = try DocumentAddress.of(["api.xro", "2.0", list, invoice.id] + parts, below: baseURL)
    let tenant = try DocumentAddress.organisation(tenantID)
    var request = try Request(url: url, fields: XeroProvider.fields(ofTenant: tenant))
    request.fields[.accept] = accept
    return request
  }

  static func attachments(in body: [UInt8]) throws -> [Attachment] {
    var found: [Attachment]?
    try JSONReader.readPage(body) { reader, key in
      guard "Attachments" ~= key else { return try reader.skipValue() }
      var attachments: [Attachment] = []
      try reader.readEveryElement { attachments.append(try readAttachment(&$0)) }
      found = attachments
    }
    guard let found else { throw SyncError.unreadable(part: "Attachments", reason: "missing") }
    return found
  }

  private static func readAttachment(_ reader: inout JSONReader) throws -> Attachment {
    var attachment = Attachment(id: "")
    try reader.readObject { reader, key in
      switch key {
      case "AttachmentID": attachment.id = try reader.readOptionalIdentifier() ?? ""
      case "FileName": attachment.name = try reader.readOptionalString()
      case "MimeType": attachment.mediaType = try reader.readOptionalString()
      case "ContentLength": attachment.size = try reader.readOptionalInt()?.size
      default: try reader.skipValue()
      }
    }
    guard !attachment.id.isEmpty else { throw reader.mistake("an attachment without an id") }
    return attachment
  }
}
