/// An exact amount in one currency.
public struct Money: Sendable, Hashable {
  /// The amount, with all its digits.
  public let amount: ExactDecimal

  /// The currency of the amount.
  public let currency: Currency

  /// Creates an amount of money.
  public init(_ amount: ExactDecimal, _ currency: Currency) {
    self.amount = amount
    self.currency = currency
  }

  /// Creates an amount from a whole number of the currency's smallest unit, as ISO 4217 defines it.
  ///
  /// `nil` if it has more than 38 digits. Some providers count in other units for some currencies.
  public init?(minorUnits: Int128, _ currency: Currency) {
    guard let amount = ExactDecimal(coefficient: minorUnits, scale: currency.minorUnitDigits)
    else { return nil }
    self.init(amount, currency)
  }

  /// Returns the exact sum, or `nil` if the currencies differ or the sum has more than 38 digits.
  public func adding(_ other: Money) -> Money? {
    guard currency == other.currency, let sum = amount.adding(other.amount) else { return nil }
    return Money(sum, currency)
  }
}

extension Money: CustomStringConvertible {
  /// The amount, with at least the currency's decimals, and the code: `12.50 CAD`.
  public var description: String {
    Self.description(of: amount.description, scale: amount.scale, currency)
  }

  static func description(of amount: String, scale: Int, _ currency: Currency) -> String {
    let missing = currency.minorUnitDigits - scale
    guard missing > 0 else { return "\(amount) \(currency)" }
    let point = scale == 0 ? "." : ""
    return "\(amount)\(point)\(String(repeating: "0", count: missing)) \(currency)"
  }
}
