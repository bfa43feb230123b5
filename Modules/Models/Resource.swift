/// A kind of record that a provider lists and the database holds.
public enum Resource: String, CaseIterable, Sendable {
  /// Invoices, credit notes, bills and bill credits.
  case invoices
  /// Customers and suppliers.
  case contacts
}

extension Resource: CustomStringConvertible {
  /// The name in configurations, reports and the database, such as `invoices`.
  public var description: String { rawValue }
}
