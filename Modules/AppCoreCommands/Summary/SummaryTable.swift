import Models
import Storage

/// Sums as a table, with a bar for each on a terminal.
struct SummaryTable {
  /// A row of the table.
  struct Row {
    let account: String
    let label: String
    let type: InvoiceType?
    let count: Int
    let total: DecimalSum?
    let amountDue: DecimalSum
    let currency: Currency
    /// True if the row has a bar.
    var isCompared = true

    /// The sum that the bar shows.
    var compared: DecimalSum { total ?? amountDue }
  }

  private let label: String
  private let rows: [Row]
  private let style: TableStyle
  private let showsAccounts: Bool

  /// - Parameters:
  ///   - label: the name of the column that says what is summed.
  ///   - showsAccounts: true to show the account of each sum.
  init(_ label: String, _ rows: [Row], style: TableStyle, showsAccounts: Bool = false) {
    (self.label, self.rows, self.style) = (label, rows, style)
    self.showsAccounts = showsAccounts
  }

  var text: String {
    let hasTotals = rows.contains { $0.total != nil }
    var columns = [
      TableColumn(name: label, shortest: 10), TableColumn(name: "TYPE", omission: 2),
      TableColumn(name: "COUNT", isRight: true, omission: 1),
    ]
    if hasTotals { columns.append(TableColumn(name: "TOTAL", isRight: true)) }
    columns.append(
      TableColumn(name: "AMOUNT DUE", isRight: true, omission: hasTotals ? 0 : nil))
    if showsAccounts { columns.insert(.account, at: 0) }
    let cells = rows.map { row in
      var cells = showsAccounts ? [TableCell(row.account)] : []
      cells += [
        TableCell(row.label), TableCell(row.type?.rawValue ?? ""), TableCell(row.count.description),
      ]
      if hasTotals { cells.append(TableCell(row.total?.description(in: row.currency) ?? "")) }
      cells.append(TableCell(row.amountDue.description(in: row.currency)))
      return cells
    }
    let layout = TableLayout(columns, rows: cells, style: style)
    let bars = Bars(
      rows.filter(\.isCompared).map { ($0.currency, $0.compared) }, room: layout.room,
      style: style)
    let lines = zip(rows, cells).map { row, cells in
      let bar = row.isCompared ? bars?.text(row.compared, in: row.currency) : nil
      return layout.line(cells) + (bar ?? "")
    }
    return ([layout.header] + lines).map { $0 + "\n" }.joined()
  }
}

extension SummaryTable.Row {
  init(_ totals: MonthlyTotals) {
    self.init(
      account: totals.account, label: totals.month?.description ?? "-", type: totals.type,
      count: totals.count,
      total: totals.total, amountDue: totals.amountDue, currency: totals.currency)
  }

  init(_ totals: GroupTotals, style: TableStyle) {
    let label =
      switch totals.group {
      case .month(let month): month?.description
      case .quarter(let quarter): quarter?.description
      case .contact(let id, let name): name ?? id.map(style.shown(id:))
      case .status(let status): status.rawValue
      }
    self.init(
      account: totals.account, label: label ?? "-", type: totals.type, count: totals.count,
      total: totals.total,
      amountDue: totals.amountDue, currency: totals.currency)
  }

  /// Returns the rows of one currency and type: its ages, and their sum if there are several.
  static func rows(_ totals: AgeingTotals) -> [SummaryTable.Row] {
    let ages = totals.buckets.filter { $0.count > 0 }.map { bucket in
      SummaryTable.Row(
        account: totals.account, label: bucket.age.label, type: totals.type, count: bucket.count,
        total: nil,
        amountDue: bucket.amountDue, currency: totals.currency)
    }
    let sum = SummaryTable.Row(
      account: totals.account, label: "total", type: totals.type, count: totals.count, total: nil,
      amountDue: totals.amountDue, currency: totals.currency, isCompared: false)
    return ages.count == 1 ? ages : ages + [sum]
  }
}

extension DueAge {
  fileprivate var label: String {
    switch self {
    case .notDue: "not due yet"
    case .upTo30: "1-30 days"
    case .upTo60: "31-60 days"
    case .upTo90: "61-90 days"
    case .over90: "over 90 days"
    case .undated: "no due date"
    }
  }
}
