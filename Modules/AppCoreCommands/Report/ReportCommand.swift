import AppCore
import ArgumentParser
import ErrorCodes
import Foundation
import Models
import Reports
import Storage

struct ReportCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write a report of invoiced, paid and due amounts.",
    discussion: """
      The report is one HTML page without scripts or requests: invoiced and paid by month, the age \
      of what is due, the largest customers and suppliers, and what is unpaid. It adds up each \
      currency separately.
      """)

  static let examples = [
    "report --html report.html",
    "report --html - --from 2026-01-01 > report.html",
  ]

  @Option(
    help: ArgumentHelp("Write the page to this file; - for standard output.", valueName: "file"))
  var html: String

  @Option(
    help: ArgumentHelp(
      "Count invoices issued on or after this day: 2026-03-31, 2026-03, 2026-Q1, 2026, 30d, "
        + "last-quarter and the like.",
      valueName: "day"),
    transform: FilterValue.period)
  var from: CalendarPeriod?

  @Option(
    help: ArgumentHelp("Count invoices issued on or before this day.", valueName: "day"),
    transform: FilterValue.period)
  var to: CalendarPeriod?

  @OptionGroup var accountsOption: AccountsOption
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    try FilterOrder.check(from: from, to: to)
    if html.isEmpty { throw ValidationError("--html needs the name of a file") }
    if html == "-", global.json {
      throw ValidationError("--json and --html - both write to standard output; name a file")
    }
  }

  func run(in environment: CommandEnvironment) async throws {
    guard var query = InvoiceReportQuery() else {
      throw ValidationError("this computer's clock is outside the years 1 to 9999; set it")
    }
    (query.issuedFrom, query.issuedThrough) = (from?.first, to?.last)
    let asked = query
    try await CommandContext.run(
      global, accounts: accountsOption, in: environment
    ) { context in
      var query = asked
      query.accounts = context.accounts
      let path = html.hasPrefix("/") ? html : environment.currentDirectory + "/" + html
      let isStream = html == "-" || OutputFile.isStream(path)
      let database = try await context.database()
      try await context.requireContents(of: .invoices, in: database, for: isStream ? nil : html)
      let report = try await database?.invoiceReport(query) ?? InvoiceReport(emptyFor: query)
      let page = InvoiceReportPage(report, of: query).html
      guard html != "-" else {
        try await context.terminal.print(page)
        return try await context.noteAge(of: .invoices)
      }
      let file = ReportFile(path: path)
      if isStream {
        try await OutputOption.write(to: path, in: context) { try await $0.print(page) }
      } else {
        try await file.write(page)
      }
      let document = ReportDocument(
        file: isStream ? path : file.path, invoices: report.count,
        currencies: Set(report.sections.map(\.currency)).map(\.code).sorted())
      if context.terminal.isJSON {
        try await context.terminal.printJSON(document)
      } else {
        context.terminal.note(document.text)
      }
      try await context.noteAge(of: .invoices)
    }
  }
}

struct ReportDocument: Encodable {
  let schemaVersion = 1
  let file: String
  let invoices: Int
  let currencies: [String]

  var text: String {
    let count = "\(invoices) invoice\(invoices == 1 ? "" : "s")"
    let parts = [count] + (currencies.isEmpty ? [] : [currencies.joined(separator: ", ")])
    return "Wrote \(file) (\(parts.joined(separator: "; ")))."
  }
}
