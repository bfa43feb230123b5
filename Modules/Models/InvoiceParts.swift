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
  /// The discount on the line in percent (BT-138); already part of ``lineAmount``.
  public var discountRate: ExactDecimal?
  /// The charge on the line (BT-141); already part of ``lineAmount``.
  public var chargeAmount: ExactDecimal?
  /// The seller's code of the item (BT-155).
  public var itemCode: String?
  /// The name of the item (BT-153), if the provider has it apart from the description.
  public var itemName: String?
  /// The first day of the line's period (BT-134).
  public var periodStart: CalendarDate?
  /// The last day of the line's period (BT-135).
  public var periodEnd: CalendarDate?
  /// The classes by which the line is analysed, such as `Region: North; Class: Garden`.
  public var tracking: String?
  /// The name of the tax whose code is ``taxType``, such as `21% btw`.
  public var taxName: String?
  /// The name of the account whose code is ``accountCode``, such as `Sales`.
  public var accountName: String?

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

extension InvoiceLine: FieldListing {
  @usableFromInline package static var blank: InvoiceLine { InvoiceLine() }

  @inlinable package mutating func visit<Visitor: FieldVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.field("id", &id)
    try visitor.field("description", &description)
    try visitor.field("quantity", &quantity)
    try visitor.amount("unitAmount", &unitAmount)
    try visitor.amount("discountAmount", &discountAmount)
    try visitor.field("taxRate", &taxRate)
    try visitor.field("taxType", &taxType)
    try visitor.amount("taxAmount", &taxAmount)
    try visitor.amount("lineAmount", &lineAmount)
    try visitor.field("accountCode", &accountCode)
    try visitor.field("discountRate", &discountRate)
    try visitor.amount("chargeAmount", &chargeAmount)
    try visitor.field("itemCode", &itemCode)
    try visitor.field("itemName", &itemName)
    try visitor.field("periodStart", &periodStart)
    try visitor.field("periodEnd", &periodEnd)
    try visitor.field("tracking", &tracking)
    try visitor.field("taxName", &taxName)
    try visitor.field("accountName", &accountName)
  }
}

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

extension AllowanceCharge: FieldListing {
  @usableFromInline package static var blank: AllowanceCharge {
    AllowanceCharge(isCharge: false, amount: .zero)
  }

  @inlinable package mutating func visit<Visitor: FieldVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.field("id", &id)
    try visitor.required("isCharge", &isCharge)
    try visitor.requiredAmount("amount", &amount)
    try visitor.field("reason", &reason)
  }
}

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
  /// The reason why the tax is what it is, in the provider's words, such as `reverse_charge`
  /// (BT-120).
  public var exemptionReason: String?

  /// Creates a subtotal.
  public init(
    name: String? = nil, rate: ExactDecimal? = nil, taxableAmount: ExactDecimal? = nil,
    taxAmount: ExactDecimal, exemptionReason: String? = nil
  ) {
    self.name = name
    self.rate = rate
    self.taxableAmount = taxableAmount
    self.taxAmount = taxAmount
    self.exemptionReason = exemptionReason
  }
}

extension TaxSubtotal: FieldListing {
  @usableFromInline package static var blank: TaxSubtotal { TaxSubtotal(taxAmount: .zero) }

  @inlinable package mutating func visit<Visitor: FieldVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.field("name", &name)
    try visitor.field("rate", &rate)
    try visitor.amount("taxableAmount", &taxableAmount)
    try visitor.requiredAmount("taxAmount", &taxAmount)
    try visitor.field("exemptionReason", &exemptionReason)
  }
}

/// A payment that an invoice holds itself.
///
/// Payments of a list of their own are ``Payment``.
public struct InvoicePayment: Sendable, Hashable {
  /// The provider's identifier of the payment, if there is one.
  public var id: String?
  /// The day of the payment.
  public var date: CalendarDate?
  /// The amount in the invoice's currency; negative for a refund.
  public var amount: ExactDecimal
  /// The text of the payment, such as a number of a receipt (BT-83).
  public var reference: String?
  /// The means of payment in the provider's word, such as `card` or `CASH` (BT-81, BT-82).
  public var method: String?

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

extension InvoicePayment: FieldListing {
  @usableFromInline package static var blank: InvoicePayment { InvoicePayment(amount: .zero) }

  @inlinable package mutating func visit<Visitor: FieldVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.field("id", &id)
    try visitor.field("date", &date)
    try visitor.requiredAmount("amount", &amount)
    try visitor.field("reference", &reference)
    try visitor.field("method", &method)
  }
}

/// The value of a field that the user has added to the provider's.
public struct CustomField: Sendable, Hashable {
  /// The name of the field.
  public var name: String?
  /// The value, as the provider writes it.
  public var value: String?

  /// Creates a field.
  public init(name: String? = nil, value: String? = nil) {
    self.name = name
    self.value = value
  }
}

extension CustomField: FieldListing {
  @usableFromInline package static var blank: CustomField { CustomField() }

  @inlinable package mutating func visit<Visitor: FieldVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.field("name", &name)
    try visitor.field("value", &value)
  }
}

/// A document that belongs to an invoice and stays at the provider (EN 16931 BG-24).
public struct AttachmentReference: Sendable, Hashable {
  /// The provider's identifier of the document (BT-122), if there is one.
  public var id: String?
  /// The file's name (BT-125-2).
  public var fileName: String?
  /// The kind of file, such as `application/pdf` (BT-125-1).
  public var mediaType: String?
  /// The URL of the file (BT-124), usually only for signed-in users.
  public var url: String?
  /// The size of the file in bytes.
  public var size: Int64?

  /// Creates a reference.
  public init(
    id: String? = nil, fileName: String? = nil, mediaType: String? = nil, url: String? = nil,
    size: Int64? = nil
  ) {
    self.id = id
    self.fileName = fileName
    self.mediaType = mediaType
    self.url = url
    self.size = size
  }
}

extension AttachmentReference: FieldListing {
  @usableFromInline package static var blank: AttachmentReference { AttachmentReference() }

  @inlinable package mutating func visit<Visitor: FieldVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.field("id", &id)
    try visitor.field("fileName", &fileName)
    try visitor.field("mediaType", &mediaType)
    try visitor.field("url", &url)
    try visitor.field("size", &size)
  }
}
