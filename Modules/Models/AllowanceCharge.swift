/// What is taken off an invoice as a whole, or added to it (EN 16931 BG-20, BG-21).
public struct AllowanceCharge: Sendable, Hashable {
  /// The provider's identifier of it, where it gives one.
  public var id: String?
  /// Whether it is added; else it is taken off.
  public var isCharge: Bool
  /// How much, above zero where it is what ``isCharge`` says, without tax (BT-92, BT-99).
  public var amount: ExactDecimal
  /// Why (BT-97, BT-104).
  public var reason: String?

  /// Creates an allowance or a charge.
  public init(id: String? = nil, isCharge: Bool, amount: ExactDecimal, reason: String? = nil) {
    self.id = id
    self.isCharge = isCharge
    self.amount = amount
    self.reason = reason
  }
}
