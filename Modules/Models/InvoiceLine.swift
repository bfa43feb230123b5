/// One line of an invoice (EN 16931 BG-25).
public struct InvoiceLine: Sendable, Hashable {
  /// The provider's identifier of the line (BT-126), if there is one.
  public var id: String?
  /// The description of the goods or service (BT-153, BT-154).
  public var description: String?
  /// The quantity (BT-129).
  public var quantity: ExactDecimal?
  /// The price of one (BT-146); it may have more decimals than the currency.
  public var unitAmount: ExactDecimal?
  /// The discount on the line (BT-136); already part of ``lineAmount``.
  public var discountAmount: ExactDecimal?
  /// The rate of tax in percent (BT-152).
  public var taxRate: ExactDecimal?
  /// The provider's tax code of the line.
  public var taxType: String?
  /// The tax on the line.
  public var taxAmount: ExactDecimal?
  /// The line's amount (BT-131).
  public var lineAmount: ExactDecimal?
  /// The account to which the line is posted (BT-133).
  public var accountCode: String?

  /// Creates a line.
  public init(
    id: String? = nil,
    description: String? = nil,
    quantity: ExactDecimal? = nil,
    unitAmount: ExactDecimal? = nil,
    taxType: String? = nil,
    taxAmount: ExactDecimal? = nil,
    lineAmount: ExactDecimal? = nil,
    accountCode: String? = nil
  ) {
    self.id = id
    self.description = description
    self.quantity = quantity
    self.unitAmount = unitAmount
    self.taxType = taxType
    self.taxAmount = taxAmount
    self.lineAmount = lineAmount
    self.accountCode = accountCode
  }
}
