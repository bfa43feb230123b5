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
          invoice.type.rawValue, invoice.status.rawValue,
          printable(invoice.contact.name ?? invoice.contact.id ?? "-"),
          invoice.totalMoney.description,
        ]
      }
    return AlignedColumns(rows).text
  }
}

/// One invoice with everything that is known of it.
struct InvoiceSheet {
  private let stored: StoredInvoice

  init(_ stored: StoredInvoice) {
    self.stored = stored
  }

  var text: String {
    let invoice = stored.invoice
    let fields: [(String, String?)] = [
      ("number", invoice.number), ("id", invoice.id), ("type", invoice.type.rawValue),
      ("status", "\(invoice.status.rawValue) (\(invoice.rawStatus))"),
      ("contact", invoice.contact.name ?? invoice.contact.id),
      ("reference", invoice.reference), ("issued", invoice.issueDate?.description),
      ("due", invoice.dueDate?.description), ("updated", invoice.updatedAt?.description),
      ("subtotal", money(invoice.subtotal)), ("tax", money(invoice.totalTax)),
      ("total", money(invoice.total)), ("paid", money(invoice.amountPaid)),
      ("credited", money(invoice.amountCredited)), ("still due", money(invoice.amountDue)),
      ("deleted", stored.deletedAt?.description),
    ]
    let head = fields.compactMap { name, value in
      value.map { name + String(repeating: " ", count: 11 - name.count) + printable($0) }
    }
    let lines = invoice.lines.map { line in
      "  \(line.quantity?.description ?? "-") x \(line.unitAmount?.description ?? "-") = "
        + "\(money(line.lineAmount) ?? "-")  \(printable(line.description ?? ""))"
    }
    let warnings = invoice.arithmeticFindings.map { "warning    \($0)" }
    return (head + (lines.isEmpty ? [] : ["lines"] + lines) + warnings).joined(separator: "\n")
  }

  private func money(_ amount: ExactDecimal?) -> String? {
    amount.map { Money($0, stored.invoice.currency).description }
  }
}
