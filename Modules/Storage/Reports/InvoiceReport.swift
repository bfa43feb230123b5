public import Foundation
public import Models

/// Exact sums over the stored invoices, as of one moment: by month, by age, and by contact.
///
/// No sum is of several accounts, which belong to different companies. It leaves out drafts,
/// scheduled, void and deleted invoices. Credits are subtracted, whichever sign the provider gives
/// them. The report is small, however many invoices it covers.
public struct InvoiceReport: Sendable, Equatable {
  /// The day on which ages are counted.
  public let day: CalendarDate
  /// The accounts that it covers, in the order of their names.
  public let accounts: [String]
  /// The end of the latest sync of invoices that was not interrupted; `nil` if there is none.
  public let syncedAt: Timestamp?
  /// The sections by account: the currency of its most invoices first, sales before purchases.
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

/// The sum of what is due at one age.
public struct InvoiceReportAgeing: Sendable, Equatable {
  /// The age.
  public let age: DueAge
  /// The number of unpaid invoices.
  public let count: Int
  /// The sum of their amounts due, less the money on account whose day has this age.
  ///
  /// An open invoice counts with its total if the provider does not state what is due.
  public internal(set) var due: DecimalSum
}

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

/// The side of the books that invoices belong to.
public enum InvoiceReportSide: Int, Sendable, Hashable, CaseIterable {
  /// Invoices to customers, less credit notes.
  case sales
  /// Bills of suppliers, less their credits.
  case purchases
}

/// The sums of one account, one currency and one side.
public struct InvoiceReportSection: Sendable, Equatable {
  /// The account, to which its contacts belong as well.
  public let account: String
  /// The currency.
  public let currency: Currency
  /// The side.
  public let side: InvoiceReportSide
  /// The months with invoices, the earliest first; invoices without a day of issue come last.
  public internal(set) var months: [InvoiceReportMonth] = []
  /// The months in which money was paid, the earliest first; payments without a day come last.
  public internal(set) var payments: [InvoiceReportPayments] = []
  /// The sums of what is due, by age, in the order of ``DueAge``; empty ages are left
  /// out.
  public internal(set) var ageing: [InvoiceReportAgeing] = []
  /// The money on account, which the sums of what is due contain; below zero if there is any.
  public internal(set) var onAccount = DecimalSum.zero
  /// The contacts with the largest sums.
  public internal(set) var contacts: [InvoiceReportContact] = []
  /// The number of all contacts.
  public internal(set) var contactCount = 0
  /// The unpaid invoices that are due first; those without a due date come last.
  public internal(set) var unpaid: [InvoiceReportUnpaid] = []

  init(account: String, currency: Currency, side: InvoiceReportSide) {
    self.account = account
    self.currency = currency
    self.side = side
  }

  /// The number of invoices.
  public var count: Int { months.map(\.count).reduce(0, +) }
  /// The sum of all totals.
  public var invoiced: DecimalSum { Self.sum(months.map(\.invoiced)) }
  /// The sum of all that is paid.
  public var paid: DecimalSum { Self.sum(months.map(\.paid)) }
  /// The number of unpaid invoices.
  public var unpaidCount: Int { ageing.map(\.count).reduce(0, +) }
  /// The sum of all that is due, less the money on account.
  public var due: DecimalSum { Self.sum(ageing.map(\.due)) }
  /// The sum of what is past its due date.
  public var overdue: DecimalSum { Self.sum(ageing.filter(\.age.isOverdue).map(\.due)) }

  private static func sum(_ sums: [DecimalSum]) -> DecimalSum {
    sums.reduce(into: .zero) { $0.add($1) }
  }

  /// Adds money on account to the sum of its age.
  mutating func add(onAccount sum: DecimalSum, of age: DueAge) {
    onAccount.add(sum)
    guard let index = ageing.firstIndex(where: { $0.age == age }) else {
      let next = ageing.firstIndex { DueAge.allCases.isBefore(age, $0.age) } ?? ageing.count
      return ageing.insert(InvoiceReportAgeing(age: age, count: 0, due: sum), at: next)
    }
    ageing[index].due.add(sum)
  }
}

extension [DueAge] {
  fileprivate func isBefore(_ age: DueAge, _ other: DueAge) -> Bool {
    (firstIndex(of: age) ?? 0) < (firstIndex(of: other) ?? 0)
  }
}

/// The sums of a month of issue.
public struct InvoiceReportMonth: Sendable, Equatable {
  /// The month; `nil` for invoices without a day of issue.
  public let month: CalendarMonth?
  /// The number of invoices.
  public let count: Int
  /// The sum of their totals.
  public let invoiced: DecimalSum
  /// The sum of what is paid of them, whenever it was paid.
  ///
  /// A paid invoice counts with its total, less what credits have settled, if the provider does not
  /// state what was paid.
  public let paid: DecimalSum
}

/// The sum of the payments of a month, by their own days.
public struct InvoiceReportPayments: Sendable, Equatable {
  /// The month of payment; `nil` for payments without a day.
  public let month: CalendarMonth?
  /// The number of payments.
  public let count: Int
  /// The sum of their amounts, less what was paid back.
  public let paid: DecimalSum
}

/// The sums of a contact.
public struct InvoiceReportContact: Sendable, Equatable {
  /// The identifier at the provider.
  public let id: String?
  /// The name.
  public let name: String?
  /// The number of invoices.
  public let count: Int
  /// The sum of their totals.
  public let invoiced: DecimalSum
}

/// An unpaid invoice.
public struct InvoiceReportUnpaid: Sendable, Equatable {
  /// The account.
  public let account: String
  /// The identifier at the provider.
  public let id: String
  /// The number.
  public let number: String?
  /// The type.
  public let type: InvoiceType
  /// The contact's name.
  public let contact: String?
  /// The contact's identifier at the provider.
  public let contactID: String?
  /// The day of issue.
  public let issueDate: CalendarDate?
  /// The day payment is due.
  public let dueDate: CalendarDate?
  /// The total, below zero for a credit.
  public let total: ExactDecimal
  /// The amount due, below zero for a credit; `nil` if the provider does not state it.
  public let due: ExactDecimal?
}
