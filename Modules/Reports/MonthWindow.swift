import Models
import Storage

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
