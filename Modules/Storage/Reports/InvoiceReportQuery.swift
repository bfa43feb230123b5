public import Foundation
public import Models

/// The invoices that a report covers, and how much it shows of them.
public struct InvoiceReportQuery: Sendable {
  /// The accounts, or `nil` for all.
  public var accounts: [String]?
  /// The first day of issue.
  public var issuedFrom: CalendarDate?
  /// The last day of issue.
  public var issuedThrough: CalendarDate?
  /// The day on which ages are counted.
  public var day: CalendarDate
  /// The largest number of contacts per section.
  public var contactLimit = 10
  /// The largest number of unpaid invoices per section, those due first.
  public var unpaidLimit = 200

  /// Creates a query for the invoices of all accounts, as of a day.
  public init(day: CalendarDate) {
    self.day = day
  }

  /// Creates a query as of an instant's day in a time zone; `nil` if the instant is outside the
  /// years 1 to 9999.
  public init?(at now: Date = Date(), in timeZone: TimeZone = .current) {
    guard let day = Timestamp(now).day(in: timeZone) else { return nil }
    self.init(day: day)
  }
}
