import Models

/// The filter of Moneybird's list of sales invoices, such as `period:20200101..20201231,state:all`.
struct MoneybirdFilter: Sendable {
  /// The reason why a filter is refused.
  struct Refused: Error {
    var value: String
  }

  private var period: ClosedRange<CalendarDate>?
  private var updatedAfter: Timestamp?
  private let today: CalendarDate?

  /// Parses a filter; without one, only this year is listed.
  ///
  /// Terms with other names have no effect, as at Moneybird; the only known state is `all`.
  init(_ text: String?, today: CalendarDate?) throws(Refused) {
    self.today = today
    guard let text else {
      if let year = today?.year, let first = CalendarDate(year: year, month: 1, day: 1),
        let last = CalendarDate(year: year, month: 12, day: 31)
      {
        period = first...last
      }
      return
    }
    for term in text.split(separator: ",") {
      let parts = term.split(separator: ":", maxSplits: 1).map(String.init)
      let value = parts.count == 2 ? parts[1] : ""
      switch parts.first {
      case "state" where value != "all": throw Refused(value: value)
      case "period": period = try Self.period(value)
      case "updated_after":
        guard let instant = Timestamp(value) else { throw Refused(value: value) }
        updatedAfter = instant
      default: break
      }
    }
  }

  func matches(_ invoice: LedgerInvoice) -> Bool {
    // An invoice without a date counts as issued today.
    let day = invoice.date ?? today
    let isInPeriod = period.map { period in day.map(period.contains) ?? false } ?? true
    return isInPeriod && (updatedAfter.map { invoice.updatedAt > $0 } ?? true)
  }

  private static func period(_ text: String) throws(Refused) -> ClosedRange<CalendarDate> {
    let ends = text.split(separator: ".", omittingEmptySubsequences: true).compactMap(day)
    guard ends.count == 2, ends[0] <= ends[1] else { throw Refused(value: text) }
    return ends[0]...ends[1]
  }

  /// Parses `20200131`.
  private static func day(_ text: Substring) -> CalendarDate? {
    guard text.utf8.count == 8, let number = Int(text) else { return nil }
    return CalendarDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
  }
}
