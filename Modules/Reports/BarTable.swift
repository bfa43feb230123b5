import Foundation
import Models
import Storage

/// A table whose rows each have a bar: the chart and its values in one.
struct BarTable {
  struct Row {
    let title: HTML
    let count: Int
    let sum: DecimalSum
    /// The class of the bar, which colours it.
    let kind: String
  }

  let id: String
  let title: String
  /// The head of the first column.
  let head: String
  let rows: [Row]
  /// The sum that shares are of.
  let whole: DecimalSum
  let currency: Currency
  /// The head of the column of counts.
  var counted = "Documents"
  /// A note below the table.
  var note = ""

  var html: HTML {
    guard !rows.isEmpty else { return "" }
    let most = rows.map { abs(AmountText.length($0.sum)) }.max() ?? 0
    let cells = rows.map { row in
      """
      <tr><th scope="row">\(row.title)</th>\
      <td class="n wide">\(AmountText.text(row.count))</td>\
      <td class="n">\(AmountText.text(row.sum, in: currency))</td>\
      <td class="n share">\(AmountText.share(row.sum, of: whole))</td></tr>
      <tr class="bar" aria-hidden="true"><td colspan="4">\(bar(row, most))</td></tr>

      """ as HTML
    }
    let note: HTML = note.isEmpty ? "" : "<p class=\"note\">\(note)</p>\n"
    return """
      <figure class="panel" aria-labelledby="\(id)">
      <figcaption><h4 id="\(id)">\(title)</h4></figcaption>
      <table class="bars"><thead><tr><th scope="col">\(head)</th>\
      <th scope="col" class="n wide">\(counted)</th><th scope="col" class="n">Amount</th>\
      <th scope="col" class="n">Share</th></tr></thead>
      <tbody>\(cells)</tbody></table>
      \(note)</figure>

      """
  }

  private func bar(_ row: Row, _ most: Double) -> HTML {
    let length = most > 0 ? max(AmountText.length(row.sum) / most * 100, 0) : 0
    return """
      <svg width="100%" height="8"><rect class="track" width="100%" height="8" rx="2"/>\
      <rect class="\(row.kind)" width="\(String(format: "%.2f", length))%" height="8" rx="2"/></svg>
      """
  }
}

extension BarTable {
  /// The sums of what is due, by age.
  static func ageing(of section: InvoiceReportSection, id: String) -> BarTable {
    let sums = Dictionary(
      section.ageing.map { ($0.age, $0) }, uniquingKeysWith: { first, _ in first })
    let rows = DueAge.allCases.enumerated().compactMap { number, age -> Row? in
      if age == .undated, sums[age] == nil { return nil }
      return Row(
        title: "\(age.title)", count: sums[age]?.count ?? 0, sum: sums[age]?.due ?? .zero,
        kind: "age\(number)")
    }
    return BarTable(
      id: id, title: "Age of what is due", head: "Age", rows: section.ageing.isEmpty ? [] : rows,
      whole: section.due, currency: section.currency,
      note: section.onAccount.isZero
        ? ""
        : "\(AmountText.text(section.onAccount, in: section.currency)) of it is money on account, "
          + "by its own day.")
  }

  /// The payments by their own months: the latest ones with any.
  static func payments(of section: InvoiceReportSection, id: String) -> BarTable {
    let dated = section.payments.filter { $0.month != nil }
    let shown = dated.suffix(mostMonths)
    let rest = section.payments.filter { $0.month == nil } + dated.dropLast(shown.count)
    let whole = section.payments.reduce(into: DecimalSum.zero) { $0.add($1.paid) }
    let others = rest.map(\.count).reduce(0, +)
    let sum = rest.reduce(into: DecimalSum.zero) { $0.add($1.paid) }
    return BarTable(
      id: id, title: "Paid, by month of payment", head: "Month",
      rows: shown.map { month in
        Row(
          title: "\(month.month.map { "\($0.name) \($0.year)" } ?? "")", count: month.count,
          sum: month.paid, kind: "paid")
      }, whole: whole, currency: section.currency, counted: "Payments",
      note: others > 0
        ? "And \(AmountText.text(others, "payment")) earlier or without a day: "
          + "\(AmountText.text(sum, in: section.currency))." : "")
  }

  private static let mostMonths = 12

  /// The contacts with the largest sums.
  ///
  /// - Parameter showsAccount: true to name the account beside each contact.
  static func contacts(
    of section: InvoiceReportSection, id: String, showsAccount: Bool
  ) -> BarTable {
    let isSales = section.side == .sales
    let account: HTML =
      showsAccount ? " <span class=\"tag\"><bdi>\(section.account)</bdi></span>" : ""
    let rows = section.contacts.map { contact in
      Row(
        title: "\(ContactName(contact.name, id: contact.id).html)\(account)",
        count: contact.count, sum: contact.invoiced, kind: "invoiced")
    }
    let rest = section.contactCount - rows.count
    return BarTable(
      id: id, title: isSales ? "Largest customers" : "Largest suppliers",
      head: isSales ? "Customer" : "Supplier", rows: rows, whole: section.invoiced,
      currency: section.currency,
      note: rest > 0 ? "And \(AmountText.text(rest, "other"))." : "")
  }
}

extension DueAge {
  /// The age as text.
  var title: String {
    switch self {
    case .notDue: "Not yet due"
    case .upTo30: "1–30 days late"
    case .upTo60: "31–60 days late"
    case .upTo90: "61–90 days late"
    case .over90: "Over 90 days late"
    case .undated: "No due date"
    }
  }
}

/// The name of a contact; its text keeps its own direction.
private struct ContactName {
  private let name: String?
  private let id: String?

  init(_ name: String?, id: String? = nil) {
    self.name = name.flatMap { $0.isEmpty ? nil : $0 }
    self.id = id
  }

  var html: HTML {
    if let name { return "<bdi>\(name)</bdi>" }
    if let id { return "<bdi class=\"id\">\(id)</bdi>" }
    return "<i>No contact</i>"
  }
}

/// The unpaid invoices of a section, those due first.
struct UnpaidTable {
  let section: InvoiceReportSection
  let day: CalendarDate
  let id: String
  /// True to show the account of each invoice.
  let showsAccounts: Bool
  let files: [InvoiceReportPage.InvoiceFile: String]

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
    var name: HTML =
      number.map { "<bdi>\($0)</bdi>" } ?? "<bdi class=\"id\">\(invoice.id)</bdi>"
    let key = InvoiceReportPage.InvoiceFile(account: invoice.account, invoice: invoice.id)
    if let path = files[key] {
      name = "<a href=\"\(URL(filePath: path).absoluteString)\">\(name)</a>"
    }
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
