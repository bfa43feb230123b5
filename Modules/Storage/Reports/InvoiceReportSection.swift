public import Models

/// The side of the books that invoices belong to.
public enum InvoiceReportSide: Int, Sendable, Hashable, CaseIterable {
  /// Invoices to customers, less credit notes.
  case sales
  /// Bills of suppliers, less their credits.
  case purchases
}

/// The sums of one currency and one side.
public struct InvoiceReportSection: Sendable, Equatable {
  /// The currency.
  public let currency: Currency
  /// The side.
  public let side: InvoiceReportSide
  /// The months with invoices, the earliest first; invoices without a day of issue come last.
  public internal(set) var months: [InvoiceReportMonth] = []
  /// The sums of what is due, by age, in the order of ``DueAge``; empty ages are left
  /// out.
  public internal(set) var ageing: [InvoiceReportAgeing] = []
  /// The contacts with the largest sums.
  public internal(set) var contacts: [InvoiceReportContact] = []
  /// The number of all contacts.
  public internal(set) var contactCount = 0
  /// The unpaid invoices that are due first; those without a due date come last.
  public internal(set) var unpaid: [InvoiceReportUnpaid] = []

  init(currency: Currency, side: InvoiceReportSide) {
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
  /// The sum of all that is due.
  public var due: DecimalSum { Self.sum(ageing.map(\.due)) }
  /// The sum of what is past its due date.
  public var overdue: DecimalSum { Self.sum(ageing.filter(\.age.isOverdue).map(\.due)) }

  private static func sum(_ sums: [DecimalSum]) -> DecimalSum {
    sums.reduce(into: .zero) { $0.add($1) }
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
  /// A paid invoice counts with its total if the provider does not state what was paid.
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
