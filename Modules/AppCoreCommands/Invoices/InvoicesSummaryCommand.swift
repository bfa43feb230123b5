import AppCore
import ArgumentParser
import Models
import Presentation
import Storage
import SystemSupport

struct InvoicesSummaryCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "summary",
    abstract: "Total invoices by period, contact, status or tax, or by days overdue."
  )

  static let examples = [
    "invoices summary --from 2026-01-01",
    "invoices summary --by quarter --type invoice",
    "invoices summary --by tax-rate --quarter last",
    "invoices summary --by year --in EUR",
    "invoices summary --ageing --all-accounts",
    "invoices summary --ageing --by contact",
  ]

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption
  @OptionGroup var filter: InvoiceFilterOptions

  @Option(help: "Total by this value, currency and type.")
  private var by: SummaryKey?

  @Flag(
    help: "Total what is due, less money on account, by days since it was due.")
  var ageing = false

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp(
      "Convert all sums to this currency, by the rate of each invoice.", valueName: "currency"),
    transform: FilterValue.currency)
  var target: Currency?

  @OptionGroup var rowLimit: RowLimit
  @OptionGroup var output: OutputOption

  func validate() throws {
    if ageing, target != nil { throw ValidationError("--ageing cannot be combined with --in.") }
    if ageing, by != nil, by?.grouping != .contact {
      throw ValidationError("--ageing can be combined with --by contact only.")
    }
  }

  func run(in environment: CommandEnvironment) async throws {
    try output.requireTable(
      isJSON: global.json, otherwise: ["invoices", "summary", "--json"])
    try await CommandContext.run(global, accounts: accountsOption, in: environment) { context in
      var wanted = filter.query
      wanted.accounts = context.accounts
      let (query, database) = (wanted, try await context.database())
      try await context.requireContents(
        of: .invoices, in: database, for: output.file(in: environment.currentDirectory))
      try await output.write(in: context) { terminal in
        let isFound = try await write(query, of: database, to: terminal, in: context)
        if !isFound, !terminal.isJSON { try await query.noteEmpty(database, in: context) }
        return nil
      }
      try await context.noteAge(of: .invoices)
    }
  }

  /// Writes the sums of each account.
  ///
  /// - Returns: whether there are any.
  private func write(
    _ query: InvoiceQuery, of database: LocalDatabase?, to terminal: Terminal,
    in context: CommandContext
  ) async throws -> Bool {
    var style = TableStyle(global.color, terminal, context.environment.variables)
    style.organisations = await context.shownOrganisations
    let printing = SummaryPrinting(
      terminal: terminal, style: style, rowLimit: rowLimit,
      showsAccounts: context.showsAccounts && by?.grouping != .account)
    if ageing {
      // A day outside the calendar's years is no day of a report.
      guard let today = CalendarDate.today() else { return true }
      guard by == nil else {
        let found = try await database?.contactAgeing(matching: query, on: today) ?? []
        return try await printing.print(AgeingDocument(found, asOf: today), found)
      }
      let found = try await database?.ageing(matching: query, on: today) ?? []
      return try await printing.print(
        AgeingDocument(found, asOf: today), "OVERDUE", found.flatMap { SummaryTable.Row.rows($0) },
        isLimited: false)
    }
    if let target { return try await write(query, in: target, of: database, printing) }
    guard by != .taxRate else {
      let found = try await database?.taxTotals(matching: query) ?? []
      return try await printing.print(
        TaxTotalsDocument(found), "TAX", found.map { SummaryTable.Row($0) })
    }
    let grouping = by?.grouping ?? .month
    let found = try await database?.totals(matching: query, by: grouping) ?? []
    return try await printing.print(
      InvoiceSummaryDocument(found, by: grouping), grouping.rawValue.uppercased(),
      found.map { SummaryTable.Row($0, by: grouping, style: style) })
  }
}

extension InvoicesSummaryCommand {
  /// Writes sums in one currency, and what they leave out.
  private func write(
    _ query: InvoiceQuery, in currency: Currency, of database: LocalDatabase?,
    _ printing: SummaryPrinting
  ) async throws -> Bool {
    let grouping = by?.grouping ?? .month
    var isFound: Bool
    let withoutRate: [UnconvertedInvoices]
    if by == .taxRate {
      let found = try await database?.taxTotals(matching: query, in: currency)
      let sums = found ?? .empty(in: currency)
      withoutRate = sums.withoutRate
      isFound = try await printing.print(
        TaxTotalsDocument(sums), "TAX", sums.totals.map { SummaryTable.Row($0) })
    } else {
      let found = try await database?.totals(matching: query, by: grouping, in: currency)
      let sums = found ?? .empty(in: currency)
      withoutRate = sums.withoutRate
      isFound = try await printing.print(
        InvoiceSummaryDocument(sums, by: grouping), grouping.rawValue.uppercased(),
        sums.totals.map { SummaryTable.Row($0, by: grouping, style: printing.style) })
    }
    guard !printing.terminal.isJSON, !withoutRate.isEmpty else { return isFound }
    isFound = true
    let parts = withoutRate.map { left in
      let noun = left.type.rawValue.replacing("-", with: " ")
      let account = printing.showsAccounts ? " of \(left.account)" : ""
      return HumanText.count(left.count, noun) + " in \(left.currency)" + account
    }
    printing.terminal.note(
      parts.joined(separator: ", ")
        + (withoutRate.count == 1 && withoutRate[0].count == 1 ? " has" : " have")
        + " no rate to \(currency); no sum above contains "
        + (withoutRate.count == 1 && withoutRate[0].count == 1 ? "it" : "them"))
    return isFound
  }
}

/// The value of `--by`.
private enum SummaryKey: ExpressibleByArgument, Equatable {
  case grouping(InvoiceGrouping)
  case taxRate

  private static let taxRateName = "tax-rate"

  var grouping: InvoiceGrouping? {
    if case .grouping(let grouping) = self { grouping } else { nil }
  }

  init?(argument: String) {
    if let grouping = InvoiceGrouping(rawValue: argument) {
      self = .grouping(grouping)
    } else if argument == Self.taxRateName {
      self = .taxRate
    } else {
      return nil
    }
  }

  static var allValueStrings: [String] { InvoiceGrouping.allCases.map(\.rawValue) + [taxRateName] }
}

/// The output of a summary: a document, or a table.
private struct SummaryPrinting {
  let terminal: Terminal
  let style: TableStyle
  let rowLimit: RowLimit
  let showsAccounts: Bool

  /// Prints the document with `--json`, which has every sum, or else the rows.
  ///
  /// - Returns: whether there are any rows.
  func print(
    _ document: some Encodable, _ label: String, _ rows: [SummaryTable.Row],
    isLimited: Bool = true
  ) async throws -> Bool {
    guard !terminal.isJSON else {
      try await terminal.printJSON(document)
      return true
    }
    guard !rows.isEmpty else { return false }
    let most = isLimited ? rowLimit.rows(on: terminal.output) : nil
    let shown = Array(rows.prefix(most ?? rows.count))
    try await terminal.printFormatted(
      SummaryTable(label, shown, style: style, showsAccounts: showsAccounts).text)
    if style.isTerminal { rowLimit.note(shown: shown.count, of: rows.count, in: terminal) }
    return true
  }

  /// Prints the document with `--json`, or else a row for each contact.
  ///
  /// - Returns: whether there are any contacts.
  func print(_ document: AgeingDocument, _ contacts: [ContactAgeing]) async throws -> Bool {
    guard !terminal.isJSON else {
      try await terminal.printJSON(document)
      return true
    }
    guard !contacts.isEmpty else { return false }
    let shown = Array(contacts.prefix(rowLimit.rows(on: terminal.output) ?? contacts.count))
    try await terminal.printFormatted(
      AgeingTable(shown, style: style, showsAccounts: showsAccounts).text)
    if style.isTerminal { rowLimit.note(shown: shown.count, of: contacts.count, in: terminal) }
    return true
  }
}

/// Sums as a table, with a bar for each on a terminal.
private struct SummaryTable {
  struct Row {
    let account: String
    let label: String
    let type: String
    let count: Int
    var net: DecimalSum?
    var tax: DecimalSum?
    let total: DecimalSum?
    let amountDue: DecimalSum?
    let currency: Currency
    var isCompared = true

    var compared: DecimalSum { total ?? amountDue ?? .zero }

    func text(_ sum: DecimalSum?) -> String { sum?.description(in: currency) ?? "-" }
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
    let isAgeing = rows.allSatisfy { $0.total == nil && $0.net == nil && $0.amountDue != nil }
    let hasDue = rows.contains { $0.amountDue != nil }
    var columns = [
      TableColumn(name: label, shortest: 10), TableColumn(name: "TYPE", omission: 4),
      TableColumn(name: "COUNT", isRight: true, omission: 3),
    ]
    if !isAgeing {
      columns += [
        TableColumn(name: "NET", isRight: true, omission: 1),
        TableColumn(name: "TAX", isRight: true, omission: 2),
        TableColumn(name: "TOTAL", isRight: true),
      ]
    }
    if hasDue {
      columns.append(TableColumn(name: "AMOUNT DUE", isRight: true, omission: isAgeing ? nil : 0))
    }
    if showsAccounts { columns.insert(.account, at: 0) }
    let cells = rows.map { row in
      var cells = showsAccounts ? [TableCell(style.organisations.title(of: row.account))] : []
      cells += [
        TableCell(row.label), TableCell(row.type), TableCell(row.count.description),
      ]
      if !isAgeing { cells += [row.net, row.tax, row.total].map { TableCell(row.text($0)) } }
      if hasDue { cells.append(TableCell(row.text(row.amountDue))) }
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
  init(_ totals: GroupTotals, by grouping: InvoiceGrouping, style: TableStyle) {
    let label: String? =
      switch totals.group {
      case .month(let month): month?.description
      case .quarter(let quarter): quarter?.description
      case .year(let year): year?.description
      case .contact(let id, let name): name ?? id.map(style.shown(id:))
      case .status(let status): status.rawValue
      case .all:
        grouping == .account ? style.organisations.title(of: totals.account) : totals.currency.code
      }
    self.init(
      account: totals.account, label: label ?? "-", type: totals.type.rawValue, count: totals.count,
      net: totals.net, tax: totals.tax,
      total: totals.total, amountDue: totals.amountDue, currency: totals.currency)
  }

  init(_ totals: TaxTotals) {
    let label = [totals.tax.rate.map { "\($0)%" }, totals.tax.name].compactMap(\.self)
      .joined(separator: " ")
    var total = totals.net
    if let tax = totals.taxAmount { total?.add(tax) } else { total = nil }
    self.init(
      account: totals.account, label: label.isEmpty ? "-" : label, type: totals.type.rawValue,
      count: totals.count, net: totals.net, tax: totals.taxAmount, total: total, amountDue: nil,
      currency: totals.currency)
  }

  /// Returns the rows of one currency and type: its ages, and their sum if there are several.
  fileprivate static func rows(_ totals: AgeingTotals) -> [SummaryTable.Row] {
    let ages = totals.buckets.filter { $0.count > 0 }.map { bucket in
      SummaryTable.Row(
        account: totals.account, label: bucket.age.label, type: totals.kind.rawValue,
        count: bucket.count,
        total: nil,
        amountDue: bucket.amountDue, currency: totals.currency)
    }
    let sum = SummaryTable.Row(
      account: totals.account, label: "total", type: totals.kind.rawValue, count: totals.count,
      total: nil,
      amountDue: totals.amountDue, currency: totals.currency, isCompared: false)
    return ages.count == 1 ? ages : ages + [sum]
  }
}

/// The bars beside sums, whose lengths compare the sums of one currency.
private struct Bars {
  /// The smallest and the largest number of cells of the longest bar.
  private static let least = 8
  private static let most = 40
  private static let eighths = Array("▏▎▍▌▋▊▉")

  private let width: Int
  private let style: TableStyle
  private let longest: [Currency: Double]

  /// - Parameter room: the number of cells beside the table.
  /// - Returns: `nil` if there is no terminal, or no room.
  init?(_ sums: [(Currency, DecimalSum)], room: Int?, style: TableStyle) {
    guard let room, room - 2 >= Self.least else { return nil }
    width = min(room - 2, Self.most)
    self.style = style
    longest = Dictionary(sums.map { ($0.0, Self.length($0.1)) }, uniquingKeysWith: max)
  }

  /// Returns the bar of a sum, with the gap before it; empty for zero.
  func text(_ sum: DecimalSum, in currency: Currency) -> String {
    let (length, longest) = (Self.length(sum), longest[currency] ?? 0)
    guard longest > 0, length > 0 else { return "" }
    let parts = max(1, Int(clamping: length / longest * Double(width) * 8))
    var bar = String(repeating: style.bar, count: style.bar == "█" ? parts / 8 : (parts + 7) / 8)
    if style.bar == "█", parts % 8 > 0 { bar.append(Self.eighths[parts % 8 - 1]) }
    return "  " + style.colored(bar, sum < .zero ? .red : .cyan)
  }

  /// A picture's length, for which a floating-point number is exact enough.
  private static func length(_ sum: DecimalSum) -> Double { abs(Double(sum.description) ?? 0) }
}
