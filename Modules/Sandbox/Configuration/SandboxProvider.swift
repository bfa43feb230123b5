/// A provider whose API the sandbox imitates.
package enum SandboxProvider: String, Sendable, Hashable, CaseIterable {
  /// Xero's accounting API, version 2.0.
  case xero
  /// Moneybird's API, version 2; only sales, without deleted ones.
  case moneybird
  /// Square's API, version 2; only sales, without deleted ones.
  case square
  /// QuickBooks Online's accounting API, version 3.
  case quickbooks
  /// Stripe's API, version 1.
  case stripe
}
