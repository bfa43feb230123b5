public import Models

/// The amounts due of unpaid invoices that share type and currency, by the days since they were
/// due.
public struct AgeingTotals: Sendable, Equatable {
  /// The number of days since the due date, as a range.
  public enum Age: String, Sendable, CaseIterable {
    /// Due after the day of the report.
    case notDue = "not-due"
    /// 0 to 30 days ago; 0 is due on the day of the report.
    case upTo30 = "0-30"
    /// 31 to 60 days ago.
    case upTo60 = "31-60"
    /// 61 to 90 days ago.
    case upTo90 = "61-90"
    /// More than 90 days ago.
    case over90 = "over-90"
    /// Without a due date.
    case undated
  }

  /// The number of invoices of an age, and the sum of their amounts due.
  public struct Bucket: Sendable, Equatable {
    /// The age.
    public let age: Age
    /// The number of invoices.
    public internal(set) var count = 0
    /// The sum of the amounts due, as far as the provider states them.
    public internal(set) var amountDue = DecimalSum.zero
  }

  /// The shared currency.
  public let currency: Currency
  /// The shared type.
  public let type: InvoiceType
  /// A bucket for each age, in the order of their declaration.
  public internal(set) var buckets = Age.allCases.map { Bucket(age: $0) }

  init(currency: Currency, type: InvoiceType) {
    (self.currency, self.type) = (currency, type)
  }

  /// The number of invoices of every age.
  public var count: Int { buckets.map(\.count).reduce(0, +) }

  /// The sum of the amounts due of every age.
  public var amountDue: DecimalSum {
    buckets.reduce(into: DecimalSum.zero) { $0.add($1.amountDue) }
  }
}
