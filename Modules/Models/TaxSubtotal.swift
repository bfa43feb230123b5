/// The tax of one category and rate on an invoice (EN 16931 BG-23).
public struct TaxSubtotal: Sendable, Hashable {
  /// The provider's name or code of the tax.
  public var name: String?
  /// The rate in percent, such as `19` (BT-119).
  public var rate: ExactDecimal?
  /// The taxable amount (BT-116).
  public var taxableAmount: ExactDecimal?
  /// The amount of tax (BT-117).
  public var taxAmount: ExactDecimal

  /// Creates a subtotal.
  public init(
    name: String? = nil, rate: ExactDecimal? = nil, taxableAmount: ExactDecimal? = nil,
    taxAmount: ExactDecimal
  ) {
    self.name = name
    self.rate = rate
    self.taxableAmount = taxableAmount
    self.taxAmount = taxAmount
  }
}
