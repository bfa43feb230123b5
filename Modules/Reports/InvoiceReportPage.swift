import Foundation
import Models
public import Storage

/// A report as one page of HTML, which needs nothing but itself.
///
/// Its style and charts are inside, it has no script, and its policy forbids every request. It
/// prints, follows the light or dark colours of the reader's system, and gives screen readers each
/// chart as a table. Texts of invoices are escaped.
public struct InvoiceReportPage: Sendable {
  private let report: InvoiceReport
  private let query: InvoiceReportQuery
  private let titles: [String: String]
  private let files: [InvoiceFile: String]

  /// An invoice whose PDF is on this machine.
  public struct InvoiceFile: Sendable, Hashable {
    let account: String
    let invoice: String

    /// Creates the key of an invoice.
    ///
    /// - Parameters:
    ///   - account: the account.
    ///   - invoice: the provider's identifier of the invoice.
    public init(account: String, invoice: String) {
      (self.account, self.invoice) = (account, invoice)
    }
  }

  /// Creates the page of a report.
  ///
  /// - Parameters:
  ///   - report: the sums.
  ///   - query: the query of the report, for the period in its heading.
  ///   - titles: the text that headings show for an account, by its name; the name if it is absent.
  ///   - files: the paths of the PDFs of unpaid invoices, to which their numbers link.
  public init(
    _ report: InvoiceReport, of query: InvoiceReportQuery, titles: [String: String] = [:],
    files: [InvoiceFile: String] = [:]
  ) {
    self.report = report
    self.query = query
    self.titles = titles
    self.files = files
  }

  /// The mark of a page that appcore has made.
  static let mark = "<meta name=\"generator\" content=\"appcore\"/>"

  /// The page: well-formed XML, and at the same time HTML.
  public var html: String {
    let page: HTML = """
      <!DOCTYPE html>
      <html lang="en" xmlns="http://www.w3.org/1999/xhtml">
      <head>
      <meta charset="utf-8"/>
      <meta http-equiv="Content-Security-Policy" \
      content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      <meta name="generator" content="appcore"/>
      <title>\(title)</title>
      <style>\(Stylesheet.css)</style>
      </head>
      <body>
      <header>
      <h1>\(heading)</h1>
      <p>\(subtitle)</p>
      \(omissions)\(navigation)</header>
      <main>
      \(content)</main>
      <footer><p>\(footnote)</p></footer>
      </body>
      </html>

      """
    return page.text
  }

  private var title: String {
    "Invoices"
      + (report.accounts.isEmpty
        ? "" : " of \(report.accounts.map(title(of:)).joined(separator: ", "))")
      + ", \(report.day.text)"
  }

  private func title(of account: String) -> String { titles[account] ?? account }

  private var heading: HTML {
    let names = report.accounts.map { "<bdi>\(title(of: $0))</bdi>" as HTML }
    guard let first = names.first else { return "Invoices" }
    return names.dropFirst().reduce("Invoices of \(first)") { "\($0), \($1)" }
  }

  private var subtitle: String {
    let period =
      switch (query.issuedFrom, query.issuedThrough) {
      case (let from?, let through?): "Issued from \(from.text) through \(through.text)"
      case (let from?, nil): "Issued since \(from.text)"
      case (nil, let through?): "Issued through \(through.text)"
      case (nil, nil): "All invoices"
      }
    let sync = report.syncedAt?.day(in: .current).map { ", last synced on \($0.text)" } ?? ""
    return "\(period). As of \(report.day.text)\(sync)."
  }

  /// The documents that are stored but not in the sums, if there are any.
  private var omissions: HTML {
    let parts = InvoiceStatus.allCases.compactMap { status -> String? in
      guard let count = report.omittedCounts[status] else { return nil }
      return status == .draft
        ? AmountText.text(count, "draft") : "\(AmountText.text(count)) \(status.rawValue)"
    }
    guard !parts.isEmpty else { return "" }
    let all = report.count + report.omittedCount
    return """
      <p>\(AmountText.text(report.count)) of \(AmountText.text(all, "document")) count. \
      Left out: \(parts.joined(separator: ", ")).</p>

      """
  }

  private var showsAccounts: Bool { report.accounts.count > 1 }

  /// The parts of the page, each of one account and one currency.
  private var parts: [ReportPart] {
    var parts: [ReportPart] = []
    for section in report.sections {
      if let last = parts.last?.sections.first, last.account == section.account,
        last.currency == section.currency
      {
        parts[parts.count - 1].sections.append(section)
      } else {
        let prefix = showsAccounts ? "a\(parts.count + 1)-" : ""
        parts.append(ReportPart(idPrefix: prefix, sections: [section]))
      }
    }
    return parts
  }

  /// The links to the currencies of one account; several have a table of links.
  private var navigation: HTML {
    guard parts.count > 1, !showsAccounts else { return "" }
    let links = parts.map { part in
      "<li><a href=\"#\(part.id)\">\(part.currency.code)</a></li>" as HTML
    }
    return "<nav aria-label=\"Currencies\"><ul>\(links)</ul></nav>\n"
  }

  private var content: HTML {
    let parts = parts
    guard !parts.isEmpty else {
      return """
        <p class="empty">There are no invoices to report. Fetch them with \
        <code>appcore sync all</code>.</p>

        """
    }
    let pieces = parts.map { part in
      let panels = part.sections.map { section in
        SectionPanel(
          section: section, day: report.day, showsAccounts: showsAccounts, files: files,
          idPrefix: part.idPrefix
        ).html
      }
      let account: HTML = showsAccounts ? "<bdi>\(title(of: part.account))</bdi>, " : ""
      return """
        <section class="currency" aria-labelledby="\(part.id)">
        <h2 id="\(part.id)">\(account)\(part.currency.code)</h2>
        \(panels)</section>

        """ as HTML
    }
    return showsAccounts
      ? "\(AccountTable(parts: parts, titles: titles).html)\(pieces)" : "\(pieces)"
  }

  private var footnote: String {
    "Drafts, scheduled, void and deleted documents do not count. "
      + (showsAccounts ? "No sum is of several accounts. " : "")
      + "Credits are subtracted. “Paid” is what was paid of the documents of a month, whenever it "
      + "was paid; by month of payment, each payment counts on its own day. All sums are exact. "
      + "Made by appcore."
  }
}

/// One side of the books in one currency: key figures, charts and tables.
private struct SectionPanel {
  let section: InvoiceReportSection
  let day: CalendarDate
  let showsAccounts: Bool
  let files: [InvoiceReportPage.InvoiceFile: String]
  let idPrefix: String

  var html: HTML {
    let id = "\(idPrefix)\(section.currency.code.lowercased())-\(section.side)"
    return """
      <section aria-labelledby="\(id)">
      <h3 id="\(id)">\(section.side.title)</h3>
      \(figures)
      \(MonthChart(section: section, window: window, id: id).html)\
      \(BarTable.payments(of: section, id: id + "-payments").html)\
      <div class="pair">
      \(BarTable.ageing(of: section, id: id + "-age").html)\
      \(contacts(id + "-contacts"))</div>
      \(unpaid(id + "-open"))</section>

      """
  }

  private var window: MonthWindow {
    MonthWindow(section.months, today: CalendarMonth(of: day))
  }

  private func contacts(_ id: String) -> HTML {
    BarTable.contacts(of: section, id: id, showsAccount: showsAccounts).html
  }

  private func unpaid(_ id: String) -> HTML {
    UnpaidTable(section: section, day: day, id: id, showsAccounts: showsAccounts, files: files)
      .html
  }

  private var figures: HTML {
    let late = section.ageing.filter(\.age.isOverdue).map(\.count).reduce(0, +)
    return """
      <dl class="figures">
      \(figure("Invoiced", section.invoiced, AmountText.text(section.count, "document")))\
      \(figure("Paid", section.paid, AmountText.share(section.paid, of: section.invoiced)))\
      \(figure("Due", section.due, AmountText.text(section.unpaidCount, "document")))\
      \(figure("Late", section.overdue, AmountText.text(late, "document"), isAlarming: late > 0))\
      </dl>
      """
  }

  private func figure(
    _ name: String, _ sum: DecimalSum, _ note: String, isAlarming: Bool = false
  ) -> HTML {
    """
    <div class="\(isAlarming ? "late" : "plain")"><dt>\(name)</dt>\
    <dd>\(AmountText.text(sum, in: section.currency)) \
    <span class="unit">\(section.currency.code)</span></dd><dd class="note">\(note)</dd></div>

    """
  }
}
