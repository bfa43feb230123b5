import Documents
import Foundation
import HTTPTypes
import Models
import Networking

/// The files of Moneybird's invoices: of a sales invoice the PDF, the e-invoice in UBL and
/// attachments; of all others the attachments.
///
/// https://developer.moneybird.com/api/sales_invoices/: the PDF and an attachment are redirects to
/// links that live for 30 seconds, and UBL is the response itself. The scope `sales_invoices`
/// covers all three; the attachments of purchase invoices need `documents`.
struct MoneybirdDocuments: DocumentSource {
  let baseURL: URL
  let administrationID: String?

  let kinds: Set<DocumentKind> = [.pdf, .ubl, .attachment]

  func renders(
    _ kind: DocumentKind, of id: String, as type: InvoiceType, with status: InvoiceStatus
  ) -> Bool {
    kind != .attachment && Self.place(of: id, type).first == MoneybirdInvoices.path
      && ![.draft, .scheduled, .deleted].contains(status)
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

  /// Returns the parts of the path of an invoice.
  private static func place(of id: String, _ type: InvoiceType) -> [String] {
    let prefix = MoneybirdExternalInvoices.prefix
    if id.hasPrefix(prefix) {
      return [MoneybirdExternalInvoices.path, String(id.dropFirst(prefix.count))]
    }
    let isPurchase = [.bill, .billCredit].contains(type)
    let path = isPurchase ? MoneybirdPurchaseInvoices.path : MoneybirdInvoices.path
    return path.split(separator: "/").map(String.init) + [id]
  }

  private func request(
    _ parts: [String], of invoice: Invoice
  ) throws(SessionError) -> Request {
    let administration = try DocumentAddress.organisation(administrationID)
    let url = try DocumentAddress.of(
      ["api", "v2", administration] + Self.place(of: invoice.id, invoice.type) + parts,
      below: baseURL)
    // The path says what is requested, and a redirect is none of its types.
    return try Request(url: url, fields: [.accept: "*/*"])
  }
}
