/// An allowance or charge on an invoice as a whole (EN 16931 BG-20, BG-21).
public struct AllowanceCharge: Sendable, Hashable {
  /// The provider's identifier, if there is one.
  public var id: String?
  /// True for a charge, false for an allowance.
  public var isCharge: Bool
  /// The amount without tax, positive if it is what ``isCharge`` states (BT-92, BT-99).
  public var amount: ExactDecimal
  /// The reason (BT-97, BT-104).
  public var reason: String?

  /// Creates an allowance or a charge.
  public init(id: String? = nil, isCharge: Bool, amount: ExactDecimal, reason: String? = nil) {
    self.id = id
    self.isCharge = isCharge
    self.amount = amount
    self.reason = reason
  }
}
