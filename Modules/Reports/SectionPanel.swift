import Models
import Storage

/// One side of the books in one currency: key figures, charts and tables.
struct SectionPanel {
  let section: InvoiceReportSection
  let day: CalendarDate
  let showsAccounts: Bool

  var html: HTML {
    let id = "\(section.currency.code.lowercased())-\(section.side)"
    return """
      <section aria-labelledby="\(id)">
      <h3 id="\(id)">\(section.side == .sales ? "Sales" : "Purchases")</h3>
      \(figures)
      \(MonthChart(section: section, window: window, id: id).html)
      <div class="pair">
      \(BarTable.ageing(of: section, id: id + "-age").html)\
      \(BarTable.contacts(of: section, id: id + "-contacts").html)</div>
      \(unpaid(id + "-open"))</section>

      """
  }

  private var window: MonthWindow {
    MonthWindow(section.months, today: CalendarMonth(of: day))
  }

  private func unpaid(_ id: String) -> HTML {
    UnpaidTable(section: section, day: day, id: id, showsAccounts: showsAccounts).html
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
