public import Models

/// A file of an invoice, as the database knows it.
public struct StoredDocument: Sendable, Equatable {
  /// The states of a file.
  public enum State: String, Sendable, CaseIterable {
    /// The provider has it, and it was not fetched yet.
    case missing
    /// It is in the folder of objects.
    case stored
    /// The provider has it no longer; an object that was fetched stays.
    case gone
    /// The provider says that it has no such file of this invoice.
    case unsupported
    /// The last attempt to fetch it failed; ``StoredDocument/errorCode`` says why.
    case failed
  }

  /// The account.
  public var account: String
  /// The provider's identifier of the invoice.
  public var invoiceID: String
  /// The kind of file.
  public var kind: DocumentKind
  /// The provider's identifier of an attachment; empty for other kinds, of which there is one.
  public var id: String
  /// The provider's name of the file, as somebody chose it: it may hold anything.
  public var name: String?
  /// The media type, such as `application/pdf`.
  public var mediaType: String?
  /// The size in bytes: of the stored object, or else as the provider states it.
  public var size: Int?
  /// The SHA-256 of the stored object, as 64 hexadecimal digits; it names the object.
  public var sha256: String?
  /// The provider's own hash of the content, an MD5 as hexadecimal digits.
  public var providerHash: String?
  /// The state.
  public var state: State
  /// The code of the error of the last attempt, such as `unreadable-data`.
  public var errorCode: String?
  /// The time at which the object was fetched.
  public var fetchedAt: Timestamp?
  /// The path that was chosen for it in the folder for people, relative to that folder.
  public var fileName: String?
  /// True if the invoice has changed since the file was fetched.
  public package(set) var isStale = false

  /// The identity of the invoice's version at the time of the last attempt.
  package var fingerprint: Int64?

  /// The state, without the file.
  package var summary: DocumentStates.File {
    DocumentStates.File(kind: kind, state: state, fingerprint: fingerprint)
  }

  /// Creates a file that was not fetched yet.
  package init(account: String, invoiceID: String, kind: DocumentKind, id: String = "") {
    (self.account, self.invoiceID, self.kind, self.id) = (account, invoiceID, kind, id)
    state = .missing
  }
}

/// The version of an invoice and the states of its files, which decide if there is something to
/// fetch.
package struct DocumentStates: Sendable {
  /// The state of one file.
  package struct File: Sendable {
    package let kind: DocumentKind
    package let state: StoredDocument.State
    /// The identity of the invoice's version at the time of the last attempt.
    package let fingerprint: Int64?
  }

  /// The key of the invoice.
  package let key: InvoiceKey
  package let id: String
  package let type: InvoiceType
  package let status: InvoiceStatus
  /// True if the provider has the invoice no longer.
  package let isDeleted: Bool
  /// The identity of the invoice's version.
  package let fingerprint: Int64
  /// The version of the invoice whose attachments were listed last; `nil` if none was.
  package let listedFingerprint: Int64?
  /// The files, of which the database knows; none that a later version replaced.
  package internal(set) var files: [File] = []

  /// Returns the files of some kinds, with one that is missing for each other kind of one file.
  package func files(of kinds: Set<DocumentKind>) -> [File] {
    let known = files.filter { kinds.contains($0.kind) }
    let missing = kinds.subtracting([.attachment]).subtracting(known.map(\.kind))
    return known + missing.map { File(kind: $0, state: .missing, fingerprint: nil) }
  }
}

/// An invoice with its files.
public struct DocumentedInvoice: Sendable, Equatable {
  /// The key of the invoice.
  public let key: InvoiceKey
  /// The invoice, without its lines and payments.
  public let stored: StoredInvoice
  /// Its files, the provider's PDF first; none that a later version replaced.
  public var documents: [StoredDocument]
  /// The identity of the invoice's version.
  package let fingerprint: Int64
  /// The version of the invoice whose attachments were listed last; `nil` if none was.
  package let listedFingerprint: Int64?

  /// The states of the files.
  package var states: DocumentStates {
    DocumentStates(
      key: key, id: stored.invoice.id, type: stored.invoice.type, status: stored.invoice.status,
      isDeleted: stored.deletedAt != nil, fingerprint: fingerprint,
      listedFingerprint: listedFingerprint,
      files: documents.map(\.summary))
  }
}
