import Documents
import Foundation
import HTTPTypes
import Models
import Networking
import SystemSupport

/// The files of a described provider's invoices: what `document` of their list describes, and the
/// attachments whose addresses a record holds.
struct RESTDocuments: DocumentSource {
  let kinds: Set<DocumentKind>
  private let baseURL: URL
  private let headers: HTTPFields
  private let tenantID: String?
  /// The lists of invoices whose files are described.
  private let lists: [RESTResource]

  /// Creates the source; returns `nil` if the description has no files.
  init?(_ description: RESTDescription, in context: ProviderContext) {
    let invoices = description.resources.filter { $0.kind.kind == .invoices }
    lists = invoices.filter { $0.document != nil }
    let hasAttachments = invoices.contains {
      $0.fields.lists[Self.attachments]?.fields["url"] != nil
    }
    kinds = Set(lists.isEmpty ? [] : [.pdf]).union(hasAttachments ? [.attachment] : [])
    guard !kinds.isEmpty else { return nil }
    (baseURL, tenantID) = (context.baseURL, context.tenantID)
    headers = description.headers
  }

  private static let attachments = "attachments"

  func renders(
    _ kind: DocumentKind, of id: String, as type: InvoiceType, with status: InvoiceStatus
  ) -> Bool {
    kind == .pdf && list(of: type) != nil && ![.draft, .deleted].contains(status)
  }

  func place(of kind: DocumentKind, of invoice: Invoice) throws -> DocumentPlace {
    guard let list = list(of: invoice.type), let document = list.document else {
      throw SessionError.invalidRequest(reason: "the description has no document of the invoice")
    }
    let requests = RESTRequests(
      baseURL: baseURL, headers: headers, resource: list, tenantID: tenantID)
    return .file(try requests.document(invoice.id, document))
  }

  func attachments(of invoice: Invoice) throws -> AttachmentList {
    .known(located(invoice).map(\.attachment))
  }

  /// Returns the place of an attachment, whose URL anybody may have chosen: only one at the API's
  /// own origin receives credentials, and every other one has to be `https`.
  func place(of attachment: Attachment, of invoice: Invoice) throws -> DocumentPlace {
    guard let text = located(invoice).first(where: { $0.attachment.id == attachment.id })?.url,
      let url = URL(string: text, relativeTo: baseURL)?.absoluteURL, let origin = Origin(url)
    else { throw SessionError.invalidRequest(reason: "the attachment has no address") }
    var request = try Request(url: url)
    if origin == Origin(baseURL) {
      request.fields = RESTRequests.fields(headers, tenantID: tenantID)
    } else {
      guard origin.scheme == "https" else {
        throw SessionError.invalidRequest(
          reason: "the attachment is neither at an https address nor at the API's server")
      }
      (request.authorization, request.isLink) = (.none, true)
    }
    request.fields[.accept] = "*/*"
    return .file(request)
  }

  /// Returns the first list that may have the invoice: a record does not say from which one it is.
  private func list(of type: InvoiceType) -> RESTResource? {
    lists.first { $0.lists(type) }
  }

  /// Returns the attachments that have an address.
  ///
  /// One without an identifier has a digest of its address in place of it.
  private func located(_ invoice: Invoice) -> [(attachment: Attachment, url: String)] {
    invoice.attachments.compactMap { named in
      guard let url = named.url else { return nil }
      let id = named.id ?? SHA256.hash(Array(url.utf8)).prefix(8).hexadecimal
      return (Attachment(named, id: id), url)
    }
  }
}
