/// Amounts of an invoice in the currency of the books in which it is posted, and the rate between
/// the two.
///
/// All are as the provider states them. A home amount counts before the rate, because the provider
/// has rounded it as the books have it.
public struct HomeAmounts: Sendable, Hashable {
  /// The home currency: that of the books (BT-6).
  public var currency: Currency?
  /// The units of the home currency for one unit of the invoice's currency: multiply by it.
  public var exchangeRate: ExactDecimal?
  /// The units of the invoice's currency for one unit of the home currency, if the provider states
  /// the rate that way (Xero): divide by it.
  public var inverseExchangeRate: ExactDecimal?
  /// The total without tax in the home currency.
  public var subtotal: ExactDecimal?
  /// The total tax in the home currency (BT-111).
  public var totalTax: ExactDecimal?
  /// The total with tax in the home currency.
  public var total: ExactDecimal?
  /// The amount that remains to be paid, in the home currency.
  public var amountDue: ExactDecimal?

  /// Creates amounts of which nothing is stated.
  public init() {}
}

extension HomeAmounts: FieldListing {
  @usableFromInline package static var blank: HomeAmounts { HomeAmounts() }

  @inlinable package mutating func visit<Visitor: FieldVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.field("currency", &currency)
    try visitor.field("exchangeRate", &exchangeRate)
    try visitor.field("inverseExchangeRate", &inverseExchangeRate)
    try visitor.amount("subtotal", &subtotal)
    try visitor.amount("totalTax", &totalTax)
    try visitor.amount("total", &total)
    try visitor.amount("amountDue", &amountDue)
  }
}

/// The conversion of one invoice's amounts into another currency, by what the invoice states.
package struct CurrencyConversion: Sendable {
  private enum Rate {
    case multiplied(ExactDecimal)
    case divided(ExactDecimal)
    /// By the ratio of two totals, for an invoice that states both and no rate.
    case ratio(home: ExactDecimal, total: ExactDecimal)
    /// For an invoice whose home amounts are all that is known.
    case unknown
  }

  /// Decimals of a quotient that does not end.
  private static let decimals = 20

  private let rate: Rate
  private let stated: HomeAmounts

  /// - Parameters:
  ///   - total: the total of the invoice.
  ///   - currency: the currency of the invoice.
  ///   - stated: the amounts and the rate that the invoice states.
  ///   - target: the currency of the result.
  ///   - home: the home currency of an invoice that states none.
  /// - Returns: `nil` if the invoice has no rate between the two currencies.
  package init?(
    of total: ExactDecimal, in currency: Currency, _ stated: HomeAmounts, to target: Currency,
    home: Currency?
  ) {
    guard currency != target else {
      (rate, self.stated) = (.multiplied(ExactDecimal(1)), HomeAmounts())
      return
    }
    guard stated.currency ?? home == target else { return nil }
    self.stated = stated
    if let factor = stated.exchangeRate, !factor.isZero {
      rate = .multiplied(factor)
    } else if let divisor = stated.inverseExchangeRate, !divisor.isZero {
      rate = .divided(divisor)
    } else if let home = stated.total {
      rate = total.isZero ? .unknown : .ratio(home: home, total: total)
    } else {
      return nil
    }
  }

  /// Returns an amount of the invoice in the other currency; `nil` if it has no rate, or too many
  /// digits.
  package func amount(_ amount: ExactDecimal) -> ExactDecimal? {
    if amount.isZero { return .zero }
    switch rate {
    case .multiplied(let factor): return amount.multiplied(by: factor)
    case .divided(let divisor): return amount.divided(by: divisor, decimals: Self.decimals)
    case .ratio(let home, let total):
      return amount.multiplied(by: home)?.divided(by: total, decimals: Self.decimals)
    case .unknown: return nil
    }
  }

  /// Returns the total: as stated, or else converted.
  package func total(_ total: ExactDecimal) -> ExactDecimal? { stated.total ?? amount(total) }

  /// Returns the tax: as stated, or else converted.
  package func tax(_ tax: ExactDecimal?) -> ExactDecimal? {
    stated.totalTax ?? difference(stated.subtotal) ?? tax.flatMap { amount($0) }
  }

  /// Returns the amount due: as stated, or else converted.
  package func amountDue(_ due: ExactDecimal) -> ExactDecimal? {
    stated.amountDue ?? amount(due)
  }

  private func difference(_ subtotal: ExactDecimal?) -> ExactDecimal? {
    subtotal.flatMap { stated.total?.subtracting($0) }
  }
}
