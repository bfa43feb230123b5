public import Models

/// Exact sums over the stored invoices, as of one moment: by month, by age, and by contact.
///
/// It leaves out drafts, scheduled, void and deleted invoices. Credits are subtracted, whichever
/// sign the provider gives them. The report is small, however many invoices it covers.
public struct InvoiceReport: Sendable, Equatable {
  /// The day on which ages are counted.
  public let day: CalendarDate
  /// The accounts that it covers, in the order of their names.
  public let accounts: [String]
  /// The end of the latest sync of invoices that was not interrupted; `nil` if there is none.
  public let syncedAt: Timestamp?
  /// The sections: the currency of the most invoices first, sales before purchases.
  public let sections: [InvoiceReportSection]
  /// The numbers of invoices that it leaves out, by status; those that the provider no longer lists
  /// are among the deleted.
  public let omittedCounts: [InvoiceStatus: Int]

  /// Creates a report without invoices, such as one of a database that does not exist yet.
  public init(emptyFor query: InvoiceReportQuery) {
    self.init(
      day: query.day, accounts: query.accounts ?? [], syncedAt: nil, sections: [],
      omittedCounts: [:])
  }

  init(
    day: CalendarDate, accounts: [String], syncedAt: Timestamp?, sections: [InvoiceReportSection],
    omittedCounts: [InvoiceStatus: Int]
  ) {
    self.day = day
    self.accounts = accounts
    self.syncedAt = syncedAt
    self.sections = sections
    self.omittedCounts = omittedCounts
  }

  /// The number of invoices that it covers.
  public var count: Int { sections.map(\.count).reduce(0, +) }

  /// The number of invoices that it leaves out.
  public var omittedCount: Int { omittedCounts.values.reduce(0, +) }
}
