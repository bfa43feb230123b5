public import Foundation
public import Models
public import Networking
public import Storage

/// The ways in which a provider gives the files of an invoice.
///
/// A source makes requests and reads responses; it sends nothing itself. `Provider` returns the one
/// of an account. A front end's own provider can have one too.
public protocol DocumentSource: Sendable {
  /// The kinds of files that the provider gives at all.
  var kinds: Set<DocumentKind> { get }

  /// Returns whether the provider renders a kind of file for an invoice of a type and a status.
  ///
  /// Of a draft it has none, for example.
  ///
  /// It is not asked for attachments; see ``attachments(of:)``.
  func renders(
    _ kind: DocumentKind, of id: String, as type: InvoiceType, with status: InvoiceStatus
  ) -> Bool

  /// Returns the place of a file that the provider renders.
  ///
  /// - Throws: `SessionError.invalidRequest(reason:)`.
  func place(of kind: DocumentKind, of invoice: Invoice) throws -> DocumentPlace

  /// Returns the way to the list of an invoice's attachments.
  ///
  /// - Throws: `SessionError.invalidRequest(reason:)`.
  func attachments(of invoice: Invoice) throws -> AttachmentList

  /// Returns the place of an attachment.
  ///
  /// - Throws: `SessionError.invalidRequest(reason:)`.
  func place(of attachment: Attachment, of invoice: Invoice) throws -> DocumentPlace

  /// The one list of the attachments of all invoices; `nil` if the provider has none.
  ///
  /// It is read once in each run in which an invoice's ``attachments(of:)`` is
  /// ``AttachmentList/inWholeList``.
  var wholeAttachmentList: WholeAttachmentList? { get }

  /// The scope, or the permission of a token, that a kind of file needs besides those of the
  /// invoices, in the provider's word; `nil` if it needs none.
  func scope(for kind: DocumentKind) -> String?
}

extension DocumentSource {
  /// Returns whether the provider renders a kind of file for an invoice.
  package func renders(_ kind: DocumentKind, of invoice: Invoice) -> Bool {
    renders(kind, of: invoice.id, as: invoice.type, with: invoice.status)
  }

  /// Returns no attachments.
  public func attachments(of invoice: Invoice) throws -> AttachmentList { .none }

  /// Throws, because a source without attachments has no places of them.
  public func place(of attachment: Attachment, of invoice: Invoice) throws -> DocumentPlace {
    throw SessionError.invalidRequest(reason: "the provider has no attachments")
  }

  /// Returns `nil`: most providers list the attachments of each invoice.
  public var wholeAttachmentList: WholeAttachmentList? { nil }

  /// Returns `nil`: the permission to read invoices is enough.
  public func scope(for kind: DocumentKind) -> String? { nil }
}

extension DocumentedInvoice {
  /// Returns the invoice with the files that a provider has of it, as far as no request is needed
  /// to know them, and that nobody tried to fetch.
  ///
  /// They are `StoredDocument.State.missing`.
  public func completed(by source: any DocumentSource) -> DocumentedInvoice {
    guard stored.deletedAt == nil else { return self }
    var complete = self
    func add(_ kind: DocumentKind, _ attachment: Attachment? = nil) {
      let id = attachment?.id ?? ""
      guard !documents.contains(where: { $0.kind == kind && $0.id == id }) else { return }
      var document = StoredDocument(
        account: stored.account, invoiceID: stored.invoice.id, kind: kind, id: id)
      (document.name, document.mediaType) = (attachment?.name, attachment?.mediaType)
      document.size = attachment?.size
      complete.documents.append(document)
    }
    if source.kinds.contains(.pdf), source.renders(.pdf, of: stored.invoice) { add(.pdf) }
    if case .known(let attachments)? = try? source.attachments(of: stored.invoice) {
      for attachment in attachments { add(.attachment, attachment) }
    }
    return complete
  }
}

/// The place of a file.
///
/// After a failure, the whole way is repeated: the link is asked for again.
public enum DocumentPlace: Sendable {
  /// The API answers with the file, or with a redirect to it.
  ///
  /// The session follows the redirect, and takes no credentials to another server.
  case file(Request)
  /// The API answers with a link to the file, which is good for a short time.
  ///
  /// The file is fetched without credentials. `read` returns the link, or `nil` if the provider has
  /// no such file; it throws for a response that it cannot read.
  case link(Request, read: @Sendable (Response) throws -> URL?)
}

/// The way to the list of an invoice's attachments.
public enum AttachmentList: Sendable {
  /// The invoice has no attachments.
  case none
  /// The invoice's own record names them.
  case known([Attachment])
  /// One request lists them.
  case request(Request, read: @Sendable (Response) throws -> [Attachment])
  /// They are in ``DocumentSource/wholeAttachmentList``.
  case inWholeList
}

/// A list of the attachments of all invoices, in pages.
public struct WholeAttachmentList: Sendable {
  /// A page.
  public struct Page: Sendable {
    /// The attachments, each with the invoice to which it belongs.
    public var attachments: [(invoice: String, attachment: Attachment)]
    /// The request for the next page; `nil` after the last one.
    public var next: Request?

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - attachments: the attachments, with identifiers of invoices as they are stored.
    ///   - next: the request for the next page.
    public init(attachments: [(invoice: String, attachment: Attachment)], next: Request?) {
      self.attachments = attachments
      self.next = next
    }
  }

  /// The request for the first page.
  public let first: Request
  /// Reads the response to the request for a page.
  public let read: @Sendable (Response, _ request: Request) throws -> Page

  /// Creates a list.
  public init(
    first: Request, read: @escaping @Sendable (Response, _ request: Request) throws -> Page
  ) {
    (self.first, self.read) = (first, read)
  }
}

/// A file that is attached to an invoice, as the provider lists it.
public struct Attachment: Sendable, Hashable {
  /// The provider's identifier.
  public var id: String
  /// The file's name, as somebody chose it: it may hold anything.
  public var name: String?
  /// The media type, such as `image/png`.
  public var mediaType: String?
  /// The size in bytes, if the provider states it.
  public var size: Int?
  /// The MD5 of the content as 32 hexadecimal digits, if the provider states it.
  public var md5: String?

  /// Creates an attachment.
  public init(
    id: String, name: String? = nil, mediaType: String? = nil, size: Int? = nil, md5: String? = nil
  ) {
    (self.id, self.name, self.mediaType) = (id, name, mediaType)
    (self.size, self.md5) = (size, md5)
  }
}
