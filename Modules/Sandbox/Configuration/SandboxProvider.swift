import Hummingbird

/// A provider whose API the sandbox imitates, by the name that appcore has for it.
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

  func addRoutes(to router: Router<SandboxContext>, _ state: SandboxState) {
    switch self {
    case .xero: XeroRoutes(state: state).add(to: router)
    case .moneybird: MoneybirdRoutes(state: state).add(to: router)
    case .square: SquareRoutes(state: state).add(to: router)
    case .quickbooks: QuickBooksRoutes(state: state).add(to: router)
    case .stripe: StripeRoutes(state: state).add(to: router)
    }
  }
}
