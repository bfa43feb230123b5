import Models
import Storage

/// The texts of an invoice in the list.
struct InvoiceText: Sendable, Equatable {
  let title: String
  let subtitle: String
  let amount: String
  let status: String

  /// The row as a screen reader says it.
  let spoken: String

  nonisolated init(_ stored: StoredInvoice) {
    let invoice = stored.invoice
    title = invoice.contact.name ?? invoice.contact.id ?? "Unknown contact"
    amount = "\(invoice.total) \(invoice.currency)"
    subtitle = [invoice.number ?? invoice.id, invoice.issueDate?.description]
      .compactMap(\.self).joined(separator: " · ")
    status = invoice.status.rawValue
    spoken = "\(title), \(amount), \(subtitle), \(status)"
  }
}
