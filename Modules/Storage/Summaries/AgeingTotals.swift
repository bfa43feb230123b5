public import Models

/// The amounts due of unpaid invoices that share type and currency, by the days since they were
/// due.
public struct AgeingTotals: Sendable, Equatable {
  /// The number of invoices of an age, and the sum of their amounts due.
  public struct Bucket: Sendable, Equatable {
    /// The age.
    public let age: DueAge
    /// The number of invoices.
    public internal(set) var count = 0
    /// The sum of the amounts due.
    ///
    /// An open invoice counts with its total if the provider does not state what is due.
    public internal(set) var amountDue = DecimalSum.zero
  }

  /// The account, whose invoices are never added to those of another one.
  public let account: String
  /// The shared currency.
  public let currency: Currency
  /// The shared type.
  public let type: InvoiceType
  /// A bucket for each age, in the order of their declaration.
  public internal(set) var buckets = DueAge.allCases.map { Bucket(age: $0) }

  init(account: String, currency: Currency, type: InvoiceType) {
    (self.account, self.currency, self.type) = (account, currency, type)
  }

  /// The number of invoices of every age.
  public var count: Int { buckets.map(\.count).reduce(0, +) }

  /// The sum of the amounts due of every age.
  public var amountDue: DecimalSum {
    buckets.reduce(into: DecimalSum.zero) { $0.add($1.amountDue) }
  }
}
