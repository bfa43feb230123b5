public import Models

/// The sum of what is due at one age.
public struct InvoiceReportAgeing: Sendable, Equatable {
  /// The age.
  public let age: DueAge
  /// The number of unpaid invoices.
  public let count: Int
  /// The sum of their amounts due.
  ///
  /// An open invoice counts with its total if the provider does not state what is due.
  public let due: DecimalSum
}
