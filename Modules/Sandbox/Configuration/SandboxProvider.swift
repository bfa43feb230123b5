/// A provider whose wire shape the sandbox speaks.
public enum SandboxProvider: String, Sendable, Hashable, CaseIterable {
  /// Xero's accounting API, version 2.0.
  case xero
  /// Moneybird's API, version 2; sales alone, and what is deleted is not there any more.
  case moneybird
  /// Square's API, version 2; sales alone, and what is deleted is not there any more.
  case square
  /// QuickBooks Online's accounting API, version 3.
  case quickbooks
  /// Stripe's API, version 1.
  case stripe
}
