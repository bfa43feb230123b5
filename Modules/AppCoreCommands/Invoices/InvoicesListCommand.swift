import AppCore
import ArgumentParser
import Foundation
import Models
import Storage

/// `appcore invoices list`.
struct InvoicesListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List invoices, the newest first.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption

  @Option(
    help: ArgumentHelp("Only this status; may be repeated.", valueName: "status"),
    transform: Self.status)
  var status: [InvoiceStatus] = []

  @Option(
    help: ArgumentHelp("Only parties with this text in their name, or this id.", valueName: "text"))
  var contact: String?

  @Option(
    help: ArgumentHelp("Only issued on or after this day.", valueName: "YYYY-MM-DD"),
    transform: Self.day)
  var from: CalendarDate?

  @Option(
    help: ArgumentHelp("Only issued on or before this day.", valueName: "YYYY-MM-DD"),
    transform: Self.day)
  var to: CalendarDate?

  @Option(
    help: ArgumentHelp(
      "Only with all of these words in number, contact, reference or lines.", valueName: "words"))
  var search: String?

  @Flag(help: "Only what is open and should have been paid by now.")
  var overdue = false

  @Option(parsing: .unconditional, help: "Sort by this; a leading - reverses.")
  var sort = InvoiceSortOrder()

  @Option(help: ArgumentHelp("At most so many.", valueName: "n"))
  var limit: Int?

  @Flag(help: "Void and deleted invoices too.")
  var all = false

  private static func status(_ text: String) throws -> InvoiceStatus {
    guard let status = InvoiceStatus(rawValue: text) else {
      throw ValidationError(
        "'\(text)' is no status; there are "
          + InvoiceStatus.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return status
  }

  private static func day(_ text: String) throws -> CalendarDate {
    guard let day = CalendarDate(text) else { throw ValidationError("'\(text)' is not YYYY-MM-DD") }
    return day
  }

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit has to be 1 or more.") }
  }

  func run() async throws {
    var query = InvoiceQuery()
    query.statuses = status.isEmpty ? nil : Set(status)
    query.contact = contact
    query.issuedFrom = from
    query.issuedThrough = to
    query.search = search
    if overdue { query.dueBefore = Timestamp(Date()).utcDay }
    query.sort = sort.key
    query.isAscending = sort.isAscending
    query.limit = limit
    // Who asks for a status by name wants to see it.
    query.includesVoidAndDeleted = all || status.contains(.void) || status.contains(.deleted)
    query.includesLines = false
    let asked = query
    try await CommandContext.run(global, account: accountOption.account) { context in
      var query = asked
      query.account = context.account
      let found = try await context.core.database().invoices(matching: query)
      let document = InvoiceListDocument(
        invoices: found.map { InvoiceDocument($0, withLines: false) })
      try context.terminal.print(document, text: InvoiceTable(found).text)
    }
  }
}

struct InvoiceListDocument: Encodable {
  let schemaVersion = 1
  let invoices: [InvoiceDocument]
}

/// What `--sort` takes: a key, with a `-` before it for the other direction.
struct InvoiceSortOrder: ExpressibleByArgument {
  var key = InvoiceQuery.Sort.issueDate
  var isAscending = false

  init() {}

  init?(argument: String) {
    let name = argument.hasPrefix("-") ? String(argument.dropFirst()) : argument
    guard let key = InvoiceQuery.Sort(rawValue: name) else { return nil }
    self.key = key
    isAscending = !argument.hasPrefix("-")
  }

  var defaultValueDescription: String { "-issueDate" }

  static var allValueStrings: [String] { InvoiceQuery.Sort.allCases.map(\.rawValue) }
}
