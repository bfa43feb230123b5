import Models
import Storage

/// Text of a server as a terminal may show it: control characters could move the cursor or hide
/// what stands beside them.
func printable(_ text: String) -> String {
  String(
    String.UnicodeScalarView(
      text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
}

/// Invoices as aligned columns.
struct InvoiceTable {
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
          printable(invoice.number ?? invoice.id),
          invoice.type.rawValue, status(of: stored),
          printable(invoice.contact.name ?? invoice.contact.id ?? "-"),
          invoice.totalMoney.description,
        ]
      }
    return AlignedColumns(rows).text
  }

  /// What was deleted keeps the status that it had; that it is gone is what there is to know.
  private func status(of stored: StoredInvoice) -> String {
    (stored.deletedAt == nil ? stored.invoice.status : .deleted).rawValue
  }
}
