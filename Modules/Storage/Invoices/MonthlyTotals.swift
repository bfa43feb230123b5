public import Models

/// Counts and exact sums of the invoices of a month that share type and currency.
///
/// Types are summed separately: a bill is no income, and a credit note is subtracted.
public struct MonthlyTotals: Sendable, Equatable {
  /// The account, whose invoices are never added to those of another one.
  public let account: String
  /// The month of issue; `nil` for those without a day of issue.
  public let month: CalendarMonth?
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
