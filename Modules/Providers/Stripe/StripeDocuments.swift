import Documents
import Foundation
import HTTPTypes
import JSONReading
import Models
import Networking
import Sync

/// The files of Stripe's invoices and credit notes: a PDF of each.
///
/// The link is on another host, needs no key, and expires, so the record is read again just before:
/// https://docs.stripe.com/api/invoices/object#invoice_object-invoice_pdf and
/// https://docs.stripe.com/api/credit_notes/object#credit_note_object-pdf
struct StripeDocuments: DocumentSource {
  let baseURL: URL
  /// The connected account to read with a platform's key.
  let accountID: String?

  let kinds: Set<DocumentKind> = [.pdf]

  /// Returns false for a draft, whose link is `null` until it is finalised.
  func renders(
    _ kind: DocumentKind, of id: String, as type: InvoiceType, with status: InvoiceStatus
  ) -> Bool {
    kind == .pdf && ![.draft, .deleted].contains(status)
  }

  func place(of kind: DocumentKind, of invoice: Invoice) throws -> DocumentPlace {
    let isNote = invoice.type == .creditNote
    let list = isNote ? StripeCreditNotes.path : StripeInvoices.path
    let url = try DocumentAddress.of(["v1", list, invoice.id], below: baseURL)
    var request = try Request(url: url, fields: StripeRequests.fields(onBehalfOf: accountID))
    request.fields[.accept] = "application/json"
    let member = isNote ? "pdf" : "invoice_pdf"
    return .link(request) { [baseURL, id = invoice.id] in
      try Self.link(in: $0.body, member: member, of: id, from: baseURL)
    }
  }

  static func link(
    in body: [UInt8], member: String, of id: String, from baseURL: URL
  ) throws -> URL? {
    var (found, link): (String?, String?)
    try JSONReader.readPage(body) { reader, key in
      switch key {
      case "id": found = try reader.readOptionalIdentifier()
      case _ where key == member: link = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
    guard found == id else {
      throw SyncError.unreadable(part: "id", reason: "it is not the id that was requested")
    }
    return try link.map { try DocumentAddress.link($0, in: member, from: baseURL) }
  }
}
