import Models
import Storage

/// The unpaid invoices of a section, those due first.
struct UnpaidTable {
  let section: InvoiceReportSection
  let day: CalendarDate
  let id: String
  /// True to show the account of each invoice.
  let showsAccounts: Bool

  var html: HTML {
    guard !section.unpaid.isEmpty else { return "" }
    let isSales = section.side == .sales
    let title = isSales ? "Open invoices" : "Open bills"
    let account: HTML = showsAccounts ? "<th scope=\"col\" class=\"wide\">Account</th>" : ""
    return """
      <figure class="panel list" aria-labelledby="\(id)">
      <figcaption><h4 id="\(id)">\(title)</h4><p class="note">\(shown)</p></figcaption>
      <table><thead><tr>\(account)<th scope="col">Number</th>\
      <th scope="col">\(isSales ? "Customer" : "Supplier")</th>\
      <th scope="col" class="n wide">Issued</th><th scope="col" class="n">Due</th>\
      <th scope="col" class="n wide">Days late</th><th scope="col" class="n wide">Total</th>\
      <th scope="col" class="n">Amount due</th></tr></thead>
      <tbody>\(section.unpaid.map(row))</tbody></table></figure>

      """
  }

  private var shown: String {
    let hidden = section.unpaidCount - section.unpaid.count
    return hidden > 0
      ? "The \(AmountText.text(section.unpaid.count)) due first, "
        + "of \(AmountText.text(section.unpaidCount))"
      : AmountText.text(section.unpaidCount, "document")
  }

  private func row(_ invoice: InvoiceReportUnpaid) -> HTML {
    let late = invoice.dueDate.map { day.daysSinceEpoch - $0.daysSinceEpoch } ?? 0
    let account: HTML =
      showsAccounts ? "<td class=\"wide\"><bdi>\(invoice.account)</bdi></td>" : ""
    let number = invoice.number.flatMap { $0.isEmpty ? nil : $0 }
    let name: HTML =
      number.map { "<bdi>\($0)</bdi>" } ?? "<bdi class=\"id\">\(invoice.id)</bdi>"
    let credit: HTML = invoice.isCredit ? " <span class=\"tag\">credit</span>" : ""
    let due = invoice.due.map { AmountText.text($0, in: section.currency) } ?? "unknown"
    return """
      <tr>\(account)<th scope="row">\(name)\(credit)</th><td>\(ContactName(invoice.contact, id: invoice.contactID).html)</td>\
      <td class="n wide">\(Self.date(invoice.issueDate))</td>\
      <td class="n">\(Self.date(invoice.dueDate))</td>\
      <td class="n wide">\(late > 0 ? AmountText.text(late) : "")</td>\
      <td class="n wide">\(AmountText.text(invoice.total, in: section.currency))</td>\
      <td class="n">\(due)</td></tr>

      """
  }

  private static func date(_ day: CalendarDate?) -> HTML {
    guard let day else { return "" }
    return "<time datetime=\"\(day.description)\">\(day.text)</time>"
  }
}

extension InvoiceReportUnpaid {
  /// True if the document lowers what is due.
  var isCredit: Bool { type == .creditNote || type == .billCredit }
}
