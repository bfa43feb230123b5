import Models
import Storage

/// The document that `appcore invoices summary` prints; sums are strings.
struct InvoiceSummaryDocument: Encodable {
  let schemaVersion = 1
  let months: [Month]

  struct Month: Encodable {
    /// `null` for invoices without an issue date.
    let month: Nullable<CalendarMonth>
    let currency: Currency
    let type: InvoiceType
    let count: Int
    let total: DecimalSum
    let amountDue: DecimalSum

    init(_ totals: MonthlyTotals) {
      month = Nullable(totals.month)
      currency = totals.currency
      type = totals.type
      count = totals.count
      total = totals.total
      amountDue = totals.amountDue
    }
  }
}

/// Monthly totals as aligned columns.
struct InvoiceSummaryTable {
  private let totals: [MonthlyTotals]

  init(_ totals: [MonthlyTotals]) {
    self.totals = totals
  }

  var text: String {
    guard !totals.isEmpty else { return "No invoices." }
    let rows = totals.map { sums in
      [
        sums.month?.description ?? "-", sums.type.rawValue, "\(sums.count)",
        sums.total.description(in: sums.currency), sums.amountDue.description(in: sums.currency),
      ]
    }
    return AlignedColumns(
      [["MONTH", "TYPE", "COUNT", "TOTAL", "STILL DUE"]] + rows, right: [2, 3, 4]
    ).text
  }
}
