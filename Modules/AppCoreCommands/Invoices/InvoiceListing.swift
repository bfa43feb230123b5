import Models
import Storage

/// Invoices as aligned columns.
struct InvoiceListing {
  private let invoices: [StoredInvoice]

  init(_ invoices: [StoredInvoice]) {
    self.invoices = invoices
  }

  var text: String {
    guard !invoices.isEmpty else { return "No invoices." }
    let rows =
      [["DATE", "DUE", "NUMBER", "TYPE", "STATUS", "CONTACT", "TOTAL"]]
      + invoices.map { stored in
        let invoice = stored.invoice
        return [
          invoice.issueDate?.description ?? "-", invoice.dueDate?.description ?? "-",
          invoice.number ?? invoice.id,
          invoice.type.rawValue, status(of: stored),
          invoice.contact.name ?? invoice.contact.id ?? "-",
          invoice.totalMoney.description,
        ]
      }
    return AlignedColumns(rows).text
  }

  /// Returns the status to show: `deleted` for a deleted invoice, which is stored with its last
  /// status.
  private func status(of stored: StoredInvoice) -> String {
    (stored.deletedAt == nil ? stored.invoice.status : .deleted).rawValue
  }
}
