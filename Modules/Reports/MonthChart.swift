import Foundation
import Models
import Storage

/// The amounts invoiced and paid by month: pairs of bars, and the same as a table.
struct MonthChart {
  let section: InvoiceReportSection
  let window: MonthWindow
  /// The beginning of the identifiers, which are unique in the page.
  let id: String

  private static let height = 220.0

  var html: HTML {
    guard !window.months.isEmpty else { return "" }
    let title = "Invoiced and paid by month, in \(section.currency)"
    return """
      <figure class="panel" aria-labelledby="\(id)-months">
      <figcaption><h4 id="\(id)-months">Invoiced and paid, by month of issue</h4>
      <p class="legend"><span class="key invoiced">Invoiced</span> \
      <span class="key paid">Paid of that</span></p></figcaption>
      <div class="plot">\(axis)
      <svg class="bars" width="100%" height="\(Int(Self.height) + 44)" role="img" \
      aria-labelledby="\(id)-title \(id)-desc"><title id="\(id)-title">\(title)</title>
      <desc id="\(id)-desc">\(summary)</desc>
      \(grid)\(bars)</svg></div>
      \(table)</figure>

      """
  }

  private var scale: AxisScale {
    AxisScale(
      window.months.flatMap {
        [AmountText.length($0.row.invoiced), AmountText.length($0.row.paid)]
      })
  }

  /// Returns the distance from the upper edge, in pixels.
  private func y(_ value: Double) -> Double { 12 + scale.position(value) * Self.height }

  private var axis: HTML {
    let scale = scale
    let texts = scale.ticks.map(scale.text)
    // No digit of the font is wider than 8 pixels.
    let end = 8 * (texts.map(\.count).max() ?? 0)
    let labels = zip(scale.ticks, texts).map { tick, text in
      """
      <text x="\(end)" y="\(Self.decimal(y(tick) + 4))" text-anchor="end">\(text)</text>
      """ as HTML
    }
    return """
      <svg class="axis" width="\(end + 6)" height="\(Int(Self.height) + 44)" aria-hidden="true">\
      \(labels)</svg>
      """
  }

  private var grid: HTML {
    let lines = scale.ticks.map { tick in
      let place = Self.decimal(y(tick))
      return """
        <line class="\(tick == 0 ? "zero" : "grid")" x1="0" x2="100%" y1="\(place)" y2="\(place)"/>
        """ as HTML
    }
    return "\(lines)\n"
  }

  /// The bars, at places in percent, so that texts keep their size at any width.
  private var bars: HTML {
    let slot = 100 / Double(window.months.count)
    let groups = window.months.enumerated().map { index, entry in
      let left = Double(index) * slot
      let (month, row) = entry
      let isMajor = month.month % 6 == 1 || window.months.count <= 6
      let hasYear = month.month == 1 || (index == 0 && hasRoomBeforeJanuary(month, slot: slot))
      let center = Self.decimal(left + slot / 2)
      let year: HTML =
        hasYear
        ? """
        <text class="year" x="\(center)%" y="\(Int(Self.height) + 42)" \
        text-anchor="middle">\(String(month.year))</text>
        """ : ""
      let label =
        "\(row.title): invoiced \(AmountText.text(row.invoiced, in: section.currency)),"
        + " paid \(AmountText.text(row.paid, in: section.currency))"
      return """
        <g><title>\(label)</title>\
        <rect class="hit" x="\(Self.decimal(left))%" y="0" width="\(Self.decimal(slot))%" \
        height="\(Int(Self.height) + 12)"/>\
        \(bar(row.invoiced, "invoiced", x: left + slot * 0.14, width: slot * 0.34))\
        \(bar(row.paid, "paid", x: left + slot * 0.52, width: slot * 0.34))\
        <text class="\(isMajor ? "major" : "minor")" x="\(center)%" \
        y="\(Int(Self.height) + 28)" text-anchor="middle">\(month.name)</text>\(year)</g>

        """ as HTML
    }
    return "\(groups)"
  }

  /// Returns true if the year under the first month stays clear of the next one under January.
  ///
  /// On a phone, four digits take up to 12 % of the chart.
  private func hasRoomBeforeJanuary(_ first: CalendarMonth, slot: Double) -> Bool {
    Double(13 - first.month) * slot >= 12
  }

  private func bar(_ sum: DecimalSum, _ name: String, x: Double, width: Double) -> HTML {
    let value = AmountText.length(sum)
    guard value != 0 else { return "" }
    let (top, bottom) = (y(max(value, 0)), y(min(value, 0)))
    return """
      <rect class="\(name)" x="\(Self.decimal(x))%" y="\(Self.decimal(top))" \
      width="\(Self.decimal(width))%" height="\(Self.decimal(max(bottom - top, 1)))" rx="1.5"/>
      """
  }

  private var summary: String {
    let rows = window.months.map(\.row)
    guard let first = rows.first, let last = rows.last,
      let best = rows.max(by: { AmountText.length($0.invoiced) < AmountText.length($1.invoiced) })
    else { return "" }
    return "Bars from \(first.title) to \(last.title). Most was invoiced in \(best.title): "
      + "\(AmountText.text(best.invoiced, in: section.currency)). The table below has all values."
  }

  private var table: HTML {
    let all = Array(window.others.prefix { $0.title == "Earlier" })
    let rows = all + window.months.map(\.row) + window.others.dropFirst(all.count)
    let cells = rows.map { row in
      """
      <tr><th scope="row">\(row.title)</th><td class="n">\(AmountText.text(row.count))</td>\
      <td class="n">\(AmountText.text(row.invoiced, in: section.currency))</td>\
      <td class="n">\(AmountText.text(row.paid, in: section.currency))</td></tr>

      """ as HTML
    }
    return """
      <details><summary>Show as a table</summary>
      <table aria-label="Invoiced and paid by month, in \(section.currency.code)">
      <thead><tr><th scope="col">Month</th><th scope="col" class="n">Documents</th>\
      <th scope="col" class="n">Invoiced</th><th scope="col" class="n">Paid</th></tr></thead>
      <tbody>\(cells)</tbody>
      <tfoot><tr><th scope="row">Total</th><td class="n">\(AmountText.text(section.count))</td>\
      <td class="n">\(AmountText.text(section.invoiced, in: section.currency))</td>\
      <td class="n">\(AmountText.text(section.paid, in: section.currency))</td></tr></tfoot>
      </table></details>
      """
  }

  private static func decimal(_ value: Double) -> String { String(format: "%.2f", value) }
}

/// The months that a chart shows: without gaps, and as many as fit.
///
/// The sums outside of them stay visible in rows of their own, so that the table adds up.
struct MonthWindow {
  /// A row of the table.
  struct Row {
    let title: String
    var count = 0
    var invoiced = DecimalSum.zero
    var paid = DecimalSum.zero

    mutating func add(_ month: InvoiceReportMonth) {
      count += month.count
      invoiced.add(month.invoiced)
      paid.add(month.paid)
    }
  }

  /// The months, each with its sums, the earliest first.
  private(set) var months: [(month: CalendarMonth, row: Row)] = []
  /// The months before, those after, and the invoices without a day; only what there is.
  private(set) var others: [Row] = []

  private static let most = 24

  /// - Parameter today: the window ends with the latest month until then. An invoice of a mistaken
  ///   year would otherwise move all others out of it.
  init(_ found: [InvoiceReportMonth], today: CalendarMonth) {
    let known = found.compactMap(\.month)
    guard let last = known.filter({ $0 <= today }).max() ?? known.max() else {
      others = Self.sum(found, "No date")
      return
    }
    let first = max(known.min()?.ordinal ?? last.ordinal, last.ordinal - Self.most + 1)
    let sums = Dictionary(found.map { ($0.month, $0) }, uniquingKeysWith: { first, _ in first })
    months = (first...last.ordinal).compactMap { CalendarMonth(ordinal: $0) }.map { month in
      var row = Row(title: "\(month.name) \(month.year)")
      if let sum = sums[month] { row.add(sum) }
      return (month, row)
    }
    others =
      Self.sum(found.filter { $0.month.map { $0.ordinal < first } ?? false }, "Earlier")
      + Self.sum(found.filter { $0.month.map { $0 > last } ?? false }, "Later")
      + Self.sum(found.filter { $0.month == nil }, "No date")
  }

  private static func sum(_ months: [InvoiceReportMonth], _ title: String) -> [Row] {
    guard !months.isEmpty else { return [] }
    var row = Row(title: title)
    for month in months { row.add(month) }
    return [row]
  }
}
