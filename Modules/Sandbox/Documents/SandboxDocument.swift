package import Models

/// A file as the sandbox serves it, for comparison with a copy.
package struct SandboxDocument: Sendable {
  /// The invoice or credit note, as the provider identifies it in its list.
  package let invoiceID: String
  package let kind: DocumentKind
  /// The provider's identifier of an attachment; empty for other kinds.
  package let id: String
  /// The name of an attachment.
  package let name: String?
  package let mediaType: String
  package let size: Int
  private let content: DocumentContent

  fileprivate init(
    _ document: LedgerDocument, of invoiceID: String, _ kind: DocumentKind, id: String = "",
    name: String? = nil, _ options: SandboxDocuments
  ) {
    (self.invoiceID, self.kind, self.id, self.name) = (invoiceID, kind, id, name)
    content = document.content(options)
    (mediaType, size) = (content.mediaType, content.size)
  }

  /// The whole file, in memory.
  package var bytes: [UInt8] { content.bytes }
}

extension SandboxServer {
  /// Returns all files of the first tenant that the provider's API gives now.
  package func documents() -> [SandboxDocument] {
    let (configuration, rows) = (state.configuration, state.books.all)
    let options = configuration.documents
    let isMoneybird = configuration.provider == .moneybird
    func id(_ id: String) -> String { isMoneybird ? MoneybirdIdentifier.of(id) : id }
    let listed =
      isMoneybird
      ? MoneybirdInvoiceList.allCases.flatMap { list in
        list.invoices(in: rows).map { (list, $0) }
      } : rows.map { (.sales, $0) }
    var documents: [SandboxDocument] = []
    for (list, row) in listed {
      let invoiceID = configuration.provider == .stripe ? row.stripeID : id(row.id)
      if list == .sales, configuration.renders(row) {
        documents.append(SandboxDocument(.pdf(row), of: invoiceID, .pdf, options))
        if isMoneybird {
          documents.append(SandboxDocument(.ubl(row), of: invoiceID, .ubl, options))
        }
      }
      guard configuration.attachesFiles(to: row) else { continue }
      documents += LedgerAttachment.of(row, options).map { attachment in
        SandboxDocument(
          .attachment(attachment), of: invoiceID, .attachment, id: id(attachment.id),
          name: attachment.name, options)
      }
    }
    let notes: [(String, LedgerSettlement)] =
      switch configuration.provider {
      case .stripe: rows.stripeCredits.map { ($0.stripeID, $0) }
      case .xero: LedgerSettlement.of(rows, kinds: [.creditNote]).map { ($0.id, $0) }
      case .moneybird, .quickbooks, .square: []
      }
    return documents
      + notes.map { SandboxDocument(.note($0.1), of: $0.0, .pdf, options) }
  }
}
