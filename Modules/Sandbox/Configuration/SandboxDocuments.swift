/// The files of invoices that a sandbox serves.
package struct SandboxDocuments: Sendable, Hashable {
  /// The smallest size of a PDF or an attachment in bytes, reached by padding; at most 9 GB.
  package var size = 0
  /// The largest number of files attached to an invoice that has any, 0 through 100.
  ///
  /// Such an invoice has at least one, if this is not 0.
  package var attachments = 2
  /// The names of the files attached to each invoice that has any, instead of made-up ones; they
  /// may hold anything.
  package var attachmentNames: [String] = []
  /// The time for which a link is good; `nil` for the provider's own: 15 minutes for QuickBooks, 30
  /// days for Stripe, 30 seconds for Moneybird.
  package var linkLifetime: Duration?
  /// True if a link is good for one request only.
  package var singleUseLinks = false
  /// True if Xero renders bills too; 404 otherwise.
  package var rendersBills = false
  /// True if each request renders the PDF anew, with other bytes.
  package var rendersAnew = false

  /// Creates the default: small PDFs, and up to two attachments.
  package init() {}
}

extension SandboxConfiguration {
  /// The time for which a link to a file is good.
  var linkLifetime: Duration {
    if let lifetime = documents.linkLifetime { return lifetime }
    return switch provider {
    case .moneybird: .seconds(30)
    case .stripe: .seconds(30 * 86_400)
    case .quickbooks, .square, .xero: .seconds(15 * 60)
    }
  }

  /// Returns whether the provider lists the files that are attached to an invoice.
  func attachesFiles(to invoice: LedgerInvoice) -> Bool {
    switch provider {
    case .xero: true
    case .quickbooks, .moneybird: invoice.status != .deleted
    case .square, .stripe: false
    }
  }

  /// Returns whether the provider renders an invoice as a PDF.
  func renders(_ invoice: LedgerInvoice) -> Bool {
    guard invoice.status != .deleted else { return false }
    return switch provider {
    case .xero: invoice.status != .draft && (!invoice.isPurchase || documents.rendersBills)
    case .quickbooks: !invoice.isPurchase
    case .stripe: invoice.kind == .sale && invoice.status != .draft
    case .moneybird: invoice.kind == .sale
    case .square: false
    }
  }
}
