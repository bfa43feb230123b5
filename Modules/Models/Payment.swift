/// A payment on an invoice.
public struct Payment: Sendable, Hashable {
  /// The provider's identifier of the payment, if there is one.
  public var id: String?
  /// The day of the payment.
  public var date: CalendarDate?
  /// The amount in the invoice's currency; negative for a refund.
  public var amount: ExactDecimal
  /// The means of payment, or the text of the payment.
  public var reference: String?

  /// Creates a payment.
  public init(
    id: String? = nil, date: CalendarDate? = nil, amount: ExactDecimal, reference: String? = nil
  ) {
    self.id = id
    self.date = date
    self.amount = amount
    self.reference = reference
  }
}
