public import Models

/// The age of what is due, in days since its due date.
public enum InvoiceReportAge: Int, Sendable, Hashable, CaseIterable {
  /// Not due before the day of the report.
  case notDue
  /// 1 to 30 days.
  case upTo30
  /// 31 to 60 days.
  case upTo60
  /// 61 to 90 days.
  case upTo90
  /// More than 90 days.
  case over90
  /// Without a due date.
  case undated

  /// True if payment is late.
  public var isOverdue: Bool { self != .notDue && self != .undated }

  /// The last days of the ages in which payment is late; the last one has no end.
  static let ends = [30, 60, 90]
}

/// The sum of what is due at one age.
public struct InvoiceReportAgeing: Sendable, Equatable {
  /// The age.
  public let age: InvoiceReportAge
  /// The number of unpaid invoices.
  public let count: Int
  /// The sum of their amounts due.
  ///
  /// An open invoice counts with its total if the provider does not state what is due.
  public let due: DecimalSum
}
