import AppCore
import ArgumentParser
import Documents
import ErrorCodes
import Foundation
import Models
import Presentation
import Reports
import Storage
import Synchronization

struct ReportCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write a report of invoiced, paid and due amounts.",
    discussion: """
      The report is one HTML page without scripts or requests: invoiced and paid by month, the age \
      of what is due, the largest customers and suppliers, and what is unpaid. It adds up each \
      account and each currency separately.
      """)

  static let examples = [
    "report --html report.html",
    "report --html - --from 2026-01-01 > report.html",
    "report --each reports",
  ]

  @Option(
    name: [.customShort("o"), .customLong("html")],
    help: ArgumentHelp("Write the page to this file; - for standard output.", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var html: String?

  @Option(
    help: ArgumentHelp(
      "Write a page for each account into this folder, such as acme.html: for every configured "
        + "account, unless --account names some.", valueName: "folder"),
    completion: .directory)
  var each: String?

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
    guard let target = html ?? each, (html == nil) != (each == nil) else {
      throw ValidationError("Name a file with --html, or a folder with --each.")
    }
    if target.isEmpty { throw ValidationError("--html and --each need a name.") }
    if html == "-", global.json {
      throw ValidationError("--json and --html - both write to standard output; name a file")
    }
    if let suffix = html.flatMap(OutputOption.suffix), !["html", "htm", "xhtml"].contains(suffix) {
      throw ValidationError(
        "A report is an HTML page, which a browser prints as PDF: name the file .html, not .\(suffix)."
      )
    }
  }

  func run(in environment: CommandEnvironment) async throws {
    guard var query = InvoiceReportQuery() else {
      throw ValidationError("this computer's clock is outside the years 1 to 9999; set it")
    }
    (query.issuedFrom, query.issuedThrough) = (from?.first, to?.last)
    let asked = query
    var accounts = accountsOption
    if each != nil, accounts.names.isEmpty { accounts.allAccounts = true }
    try await CommandContext.run(global, accounts: accounts, in: environment) { context in
      let database = try await context.database()
      if let html {
        try await write(asked, of: database, to: html, in: context)
      } else if let each {
        try await write(asked, of: database, intoFolder: each, in: context)
      }
      try await context.noteAge(of: .invoices)
    }
  }

  /// Writes the page of all accounts.
  private func write(
    _ query: InvoiceReportQuery, of database: LocalDatabase?, to html: String,
    in context: CommandContext
  ) async throws {
    let path = context.environment.path(html)
    let isStream = html == "-" || OutputFile.isStream(path)
    let (report, page) = try await page(
      query, of: database, for: isStream ? nil : html, await context.core.organisationNames(),
      in: context)
    guard html != "-" else { return try await context.terminal.print(page) }
    let file = ReportFile(path: path)
    if isStream {
      try await OutputOption.write(to: path, in: context) { try await $0.print(page) }
    } else {
      try await file.write(page)
    }
    let document = ReportDocument(report, file: isStream ? path : file.path)
    if context.terminal.isJSON {
      try await context.terminal.printJSON(document)
    } else {
      context.terminal.note(document.text)
    }
  }

  /// Writes a page for each account.
  ///
  /// - Throws: ``Failures`` of the accounts of which nothing is known, after the others.
  private func write(
    _ query: InvoiceReportQuery, of database: LocalDatabase?, intoFolder folder: String,
    in context: CommandContext
  ) async throws {
    var documents: [ReportDocument] = []
    var failures: [Failure] = []
    let organisations = await context.core.organisationNames()
    for account in context.accounts {
      var one = context
      (one.account, one.accounts) = (account, [account])
      let file = ReportFile(account: account, in: context.environment.path(folder))
      do {
        let (report, page) = try await page(
          query, of: database, for: file.path, organisations, in: one)
        try await file.write(page)
        documents.append(
          ReportDocument(
            report, file: file.path, account: account, organisation: organisations[account]))
      } catch let error as Failures {
        failures += error.all.map { failure in
          var failure = failure
          failure.account = account
          return failure
        }
        continue
      }
      if !context.terminal.isJSON { documents.last.map { context.terminal.note($0.text) } }
    }
    if context.terminal.isJSON {
      try await context.terminal.printJSON(ReportsDocument(reports: documents))
    }
    if context.isForAll {
      let left = await ReportFile.pages(
        in: context.environment.path(folder), besides: context.accounts)
      for page in left {
        context.terminal.note(
          "appcore: \(printable(page)) is an earlier page, of no account that is configured; "
            + "delete it if nobody needs it")
      }
    }
    if let failures = Failures(failures) { throw failures }
  }

  /// Returns the report of the context's accounts, and its page.
  ///
  /// - Parameter file: the file that the page replaces; `nil` if there is none to protect.
  private func page(
    _ query: InvoiceReportQuery, of database: LocalDatabase?, for file: String?,
    _ organisations: OrganisationNames, in context: CommandContext
  ) async throws -> (InvoiceReport, page: String) {
    try await context.requireContents(of: .invoices, in: database, for: file)
    var query = query
    query.accounts = context.accounts
    let report = try await database?.invoiceReport(query) ?? InvoiceReport(emptyFor: query)
    let titles = Dictionary(context.accounts.map { ($0, organisations.title(of: $0)) }) { $1 }
    let files = try await files(in: database, context)
    return (report, InvoiceReportPage(report, of: query, titles: titles, files: files).html)
  }

  /// Returns the paths of the stored PDFs of the unpaid invoices that the page shows.
  private func files(
    in database: LocalDatabase?, _ context: CommandContext
  ) async throws -> [InvoiceReportPage.InvoiceFile: String] {
    var query = InvoiceQuery()
    (query.accounts, query.sort) = (context.accounts, .stored)
    query.keepUnpaid()
    let (store, folder) = (context.core.documentStore, context.core.configuration.documents.folder)
    let found = Mutex<[InvoiceReportPage.InvoiceFile: String]>([:])
    guard FileManager.default.fileExists(atPath: store.objects) else { return [:] }
    try await database?.forEachDocumentedInvoice(matching: query) { invoice in
      guard let file = invoice.documents.first(where: { $0.kind == .pdf }), let sha = file.sha256,
        store.holds(sha, size: file.size)
      else { return }
      // People move their files.
      let named = file.fileName.flatMap { name in folder.map { $0 + "/" + name } }
        .flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
      let key = InvoiceReportPage.InvoiceFile(
        account: invoice.stored.account, invoice: invoice.stored.invoice.id)
      found.withLock { $0[key] = named ?? store.path(of: sha) }
    }
    return found.withLock { $0 }
  }
}

/// The document that `appcore report --each` prints.
private struct ReportsDocument: Encodable {
  let schemaVersion = 1
  let reports: [ReportDocument]
}

struct ReportDocument: Encodable {
  let schemaVersion = 1
  /// The only account, if each has a file of its own.
  let account: String?
  /// The name of its organisation, if it is known.
  let organisationName: String?
  let file: String
  let invoices: Int
  let currencies: [String]

  init(_ report: InvoiceReport, file: String, account: String? = nil, organisation: String? = nil) {
    organisationName = organisation
    (self.file, self.account, invoices) = (file, account, report.count)
    currencies = Set(report.sections.map(\.currency)).map(\.code).sorted()
  }

  var text: String {
    let count = HumanText.count(invoices, .invoices)
    let parts = [count] + (currencies.isEmpty ? [] : [currencies.joined(separator: ", ")])
    return "Wrote \(file) (\(parts.joined(separator: "; ")))."
  }
}
