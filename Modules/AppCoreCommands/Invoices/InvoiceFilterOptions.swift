import ArgumentParser
import Foundation
import Models
import Storage

/// The options that select invoices.
struct InvoiceFilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Keep this status; may be repeated.", valueName: "status"),
    completion: .list(InvoiceStatus.allCases.map(\.rawValue)),
    transform: Self.status)
  var status: [InvoiceStatus] = []

  @Option(
    help: ArgumentHelp(
      "Filter by contact name (the last word may be a prefix) or ID.",
      valueName: "text"))
  var contact: String?

  @Option(
    help: ArgumentHelp("Keep invoices issued on or after this day.", valueName: "YYYY-MM-DD"),
    transform: Self.day)
  var from: CalendarDate?

  @Option(
    help: ArgumentHelp("Keep invoices issued on or before this day.", valueName: "YYYY-MM-DD"),
    transform: Self.day)
  var to: CalendarDate?

  @Option(
    help: ArgumentHelp(
      "Keep invoices with all of these words in number, contact, reference or lines.",
      valueName: "words"))
  var search: String?

  @Flag(help: "Keep open invoices that are past their due date.")
  var overdue = false

  @Flag(help: "Include void and deleted invoices.")
  var all = false

  /// The query of these options, without an account yet.
  var query: InvoiceQuery {
    var query = InvoiceQuery()
    query.statuses = status.isEmpty ? nil : Set(status)
    query.contact = contact
    query.issuedFrom = from
    query.issuedThrough = to
    query.search = search
    if overdue { query.dueBefore = Self.today }
    // A user who names a status wants to see its invoices.
    query.includesVoidAndDeleted = all || status.contains(.void) || status.contains(.deleted)
    return query
  }

  /// Today's date in the user's time zone, which decides whether an invoice is overdue.
  private static var today: CalendarDate? {
    let parts = Calendar(identifier: .gregorian).dateComponents(in: .current, from: Date())
    guard let year = parts.year, let month = parts.month, let day = parts.day else { return nil }
    return CalendarDate(year: year, month: month, day: day)
  }

  private static func status(_ text: String) throws -> InvoiceStatus {
    guard let status = InvoiceStatus(rawValue: text) else {
      throw ValidationError(
        "unknown status '\(text)'; available: "
          + InvoiceStatus.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return status
  }

  private static func day(_ text: String) throws -> CalendarDate {
    guard let day = CalendarDate(text) else { throw ValidationError("'\(text)' is not YYYY-MM-DD") }
    return day
  }
}
