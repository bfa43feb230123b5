import Models
import Storage

/// A part of a page: the sections of one account in one currency.
struct ReportPart {
  /// The beginning of its identifiers, which no other part has.
  let idPrefix: String
  var sections: [InvoiceReportSection]

  var account: String { sections[0].account }
  var currency: Currency { sections[0].currency }
  var id: String { idPrefix + currency.code }
}

/// The sums of several accounts side by side, each linked to its part of the page.
struct AccountTable {
  let parts: [ReportPart]
  /// The texts that stand for accounts, by their names.
  let titles: [String: String]

  var html: HTML {
    """
    <section class="currency" aria-labelledby="accounts">
    <h2 id="accounts">Accounts</h2>
    \(InvoiceReportSide.allCases.map(table))</section>

    """
  }

  private func table(_ side: InvoiceReportSide) -> HTML {
    let rows = parts.flatMap { part in
      part.sections.filter { $0.side == side }.map { row(part, $0) }
    }
    guard !rows.isEmpty else { return "" }
    let id = "accounts-\(side)"
    return """
      <section aria-labelledby="\(id)">
      <h3 id="\(id)">\(side.title)</h3>
      <div class="panel accounts"><table><thead><tr><th scope="col">Account</th>\
      <th scope="col" class="n wide">Documents</th>\
      <th scope="col" class="n invoiced">Invoiced</th><th scope="col" class="n">Due</th>\
      <th scope="col" class="n">Late</th></tr></thead>
      <tbody>\(rows)</tbody></table></div></section>

      """
  }

  private func row(_ part: ReportPart, _ section: InvoiceReportSection) -> HTML {
    func sum(_ sum: DecimalSum) -> String { AmountText.text(sum, in: part.currency) }
    return """
      <tr><th scope="row"><a href="#\(part.id)"><bdi>\(titles[part.account] ?? part.account)</bdi></a> \
      <span class="tag">\(part.currency.code)</span></th>\
      <td class="n wide">\(AmountText.text(section.count))</td>\
      <td class="n invoiced">\(sum(section.invoiced))</td>\
      <td class="n">\(sum(section.due))</td><td class="n">\(sum(section.overdue))</td></tr>

      """
  }
}

extension InvoiceReportSide {
  /// The side as text.
  var title: String { self == .sales ? "Sales" : "Purchases" }
}
