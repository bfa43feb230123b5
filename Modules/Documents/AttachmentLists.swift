import Foundation
import Models
import Networking
import Storage
import SystemSupport

/// Reads the lists of attachments as far as a run needs them, and stores them.
///
/// The files of an invoice are listed again when the invoice has changed. Where a provider has one
/// list of all attachments, no invoice says that it has a new one: that list is read once a day.
struct AttachmentLists: Sendable {
  private let sync: DocumentSync
  private let options: DocumentSyncOptions
  /// True if the list of all attachments is read for every invoice.
  private let isDue: Bool
  private let coversAccount: Bool

  init(_ sync: DocumentSync, _ options: DocumentSyncOptions) {
    (self.sync, self.options) = (sync, options)
    var whole = InvoiceQuery()
    (whole.account, whole.sort) = (options.invoices.account, options.invoices.sort)
    (whole.isAscending, whole.includesLines) = (
      options.invoices.isAscending, options.invoices.includesLines
    )
    coversAccount =
      sync.source.wholeAttachmentList != nil && !options.isDryRun && options.keys == nil
      && options.invoices == whole
    let age = sync.store.listedAt(account: sync.account).map {
      abs(sync.time.wall().timeIntervalSince($0))
    }
    isDue = coversAccount && options.refresh == .changed && age.map { $0 >= Self.lifetime } ?? true
  }

  /// The age at which the list of all attachments is read again, in seconds.
  private static let lifetime: TimeInterval = 86_400

  /// Returns whether the attachments of an invoice have to be listed.
  func isNeeded(of invoice: DocumentStates) -> Bool {
    guard !invoice.isDeleted else { return false }
    guard let listed = invoice.listedFingerprint, options.refresh != .all else { return true }
    return options.refresh == .changed && (isDue || listed != invoice.fingerprint)
  }

  /// Reads the one list of all attachments.
  func readWhole(_ fetcher: DocumentFetcher) async throws -> [String: [Attachment]] {
    guard let list = sync.source.wholeAttachmentList else { return [:] }
    var found: [String: [Attachment]] = [:]
    var next: Request? = list.first
    while let request = next {
      let response: Response
      do { response = try await fetcher.ask(request, for: .attachment) } catch DocumentError.gone {
        // A list is never gone, unlike a file.
        throw DocumentError.serverFailed(status: 404)
      }
      let page = try fetcher.read(response) { try list.read($0, request) }
      for (invoice, attachment) in page.attachments {
        found[invoice, default: []].append(attachment)
      }
      next = page.next
    }
    return found
  }

  /// Notes that every invoice was held against the list of all attachments.
  func noteWholeRead() {
    guard coversAccount else { return }
    sync.store.noteListed(account: sync.account, at: sync.time.wall())
  }

  /// Stores the list of an invoice's attachments, and returns the files in it.
  func store(
    _ attachments: [Attachment], of invoice: DocumentedInvoice
  ) async throws -> [StoredDocument] {
    let known = invoice.documents.filter { $0.kind == .attachment }
    let documents = attachments.map { attachment in
      merged(attachment, known.first { $0.id == attachment.id }, invoice)
    }
    let isSame = documents.count == known.count && documents.allSatisfy(known.contains)
    if !options.isDryRun, !isSame || invoice.listedFingerprint != invoice.fingerprint {
      try await sync.database.record(
        attachments: documents, of: invoice, at: Timestamp(sync.time.wall()))
    }
    return documents
  }

  private func merged(
    _ attachment: Attachment, _ known: StoredDocument?, _ invoice: DocumentedInvoice
  ) -> StoredDocument {
    var document =
      known
      ?? StoredDocument(
        account: sync.account, invoiceID: invoice.stored.invoice.id, kind: .attachment,
        id: attachment.id)
    let isOther =
      attachment.md5.map { $0 != document.providerHash } ?? false
      || (document.sha256 != nil && attachment.size.map { $0 != document.size } ?? false)
    if document.state == .gone { document.state = document.sha256 == nil ? .missing : .stored }
    if document.state == .stored, isOther { document.state = .missing }
    document.name = attachment.name ?? document.name
    document.mediaType = attachment.mediaType ?? document.mediaType
    if document.state != .stored { document.size = attachment.size }
    document.providerHash = attachment.md5 ?? document.providerHash
    document.fingerprint = invoice.fingerprint
    return document
  }
}
