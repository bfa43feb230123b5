public import Models

/// The values by which invoices can be totalled.
public enum InvoiceGrouping: String, Sendable, CaseIterable {
  /// The month of issue.
  case month
  /// The quarter of issue.
  case quarter
  /// The other party.
  case contact
  /// The status.
  case status
}

/// Counts and exact sums of the invoices of a group that share type and currency.
public struct GroupTotals: Sendable, Equatable {
  /// The value that the invoices of a group have in common.
  public enum Group: Sendable, Hashable {
    /// The month of issue; `nil` for invoices without a day of issue.
    case month(CalendarMonth?)
    /// The quarter of issue; `nil` for invoices without a day of issue.
    case quarter(CalendarQuarter?)
    /// The contact's identifier and name, as far as they are known.
    case contact(id: String?, name: String?)
    /// The status; a deleted invoice counts as deleted, whichever status it had before.
    case status(InvoiceStatus)
  }

  /// The account, whose invoices are never added to those of another one.
  public let account: String
  /// The shared value.
  public let group: Group
  /// The shared currency.
  public let currency: Currency
  /// The shared type.
  public let type: InvoiceType
  /// The number of invoices.
  public let count: Int
  /// The sum of their totals.
  public let total: DecimalSum
  /// The sum of what is due of open and partially paid invoices.
  ///
  /// An open invoice counts with its total if the provider does not state what is due.
  public let amountDue: DecimalSum
}
