import Models
package import Storage

/// Balances as texts, one for each currency, such as `120.50 EUR` and `30.00 USD`.
package enum ContactAmounts {
  package static func receivable(_ balances: [ContactBalance]) -> [String] {
    texts(balances.map { ($0.receivable, $0.currency) })
  }

  package static func payable(_ balances: [ContactBalance]) -> [String] {
    texts(balances.map { ($0.payable, $0.currency) })
  }

  private static func texts(_ amounts: [(DecimalSum, Currency)]) -> [String] {
    amounts.filter { !$0.0.isZero }.map { $0.0.description(in: $0.1) }
  }
}
