import Documents
import Foundation
import HTTPTypes
import Models
import Networking

/// The files of Moneybird's sales invoices: the PDF, the e-invoice in UBL and attachments.
///
/// https://developer.moneybird.com/api/sales_invoices/: the PDF and an attachment are redirects to
/// links that live for 30 seconds, and UBL is the response itself. The scope `sales_invoices`
/// covers all three.
struct MoneybirdDocuments: DocumentSource {
  let baseURL: URL
  let administrationID: String?

  let kinds: Set<DocumentKind> = [.pdf, .ubl, .attachment]

  func renders(_ kind: DocumentKind, of type: InvoiceType, with status: InvoiceStatus) -> Bool {
    kind != .attachment && ![.draft, .scheduled, .deleted].contains(status)
  }

  func place(of kind: DocumentKind, of invoice: Invoice) throws -> DocumentPlace {
    .file(try request([kind == .ubl ? "download_ubl" : "download_pdf"], of: invoice))
  }

  func attachments(of invoice: Invoice) throws -> AttachmentList {
    .known(invoice.namedAttachments)
  }

  func place(of attachment: Attachment, of invoice: Invoice) throws -> DocumentPlace {
    .file(try request(["attachments", attachment.id, "download"], of: invoice))
  }

  private func request(
    _ parts: [String], of invoice: Invoice
  ) throws(SessionError) -> Request {
    let administration = try DocumentAddress.organisation(administrationID)
    let url = try DocumentAddress.of(
      ["api", "v2", administration, MoneybirdInvoices.path, invoice.id] + parts, below: baseURL)
    // The path says what is requested, and a redirect is none of its types.
    return try Request(url: url, fields: [.accept: "*/*"])
  }
}
