public import Models

/// Counts and exact sums of the invoices of a month that share type and currency.
///
/// Types are kept apart: a bill is no income, and a credit note goes the other way.
public struct MonthlyTotals: Sendable, Equatable {
  /// The month of issue; `nil` for those without a day of issue.
  public let month: CalendarMonth?
  /// The shared currency.
  public let currency: Currency
  /// The shared type.
  public let type: InvoiceType
  /// How many there are.
  public let count: Int
  /// The sum of their totals.
  public let total: DecimalSum
  /// The sum of what is due, as far as the provider tells it.
  public let amountDue: DecimalSum
}
