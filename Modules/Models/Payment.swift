/// A payment as its provider lists it, with the documents that it pays.
///
/// Money on account, such as Xero's prepayments and overpayments, is a payment too: what is not
/// allocated yet is ``unallocatedAmount``. An invoice that holds its payments itself has them as
/// ``InvoicePayment``.
public struct Payment: Sendable, Hashable, Identifiable {
  /// The provider's identifier, unique within one account.
  public var id: String
  /// The direction of the money.
  public var type: PaymentType
  /// The status.
  public var status: PaymentStatus
  /// The provider's own word for the status.
  public var rawStatus: String
  /// The day of the payment.
  public var date: CalendarDate?
  /// The currency of the amounts.
  public var currency: Currency
  /// The amount, positive in the direction that ``type`` states.
  public var amount: ExactDecimal
  /// The part of the amount that pays no document yet; `nil` if the provider does not state it.
  public var unallocatedAmount: ExactDecimal?
  /// The means of payment in the provider's word, such as `card` or `Check` (BT-81, BT-82).
  public var method: String?
  /// The text of the payment, such as a number of a cheque (BT-83).
  public var reference: String?
  /// The provider's identifier of the contact that paid or was paid.
  public var contactID: String?
  /// The name of that contact.
  public var contactName: String?
  /// The account to which the money was posted, as ``InvoiceLine/accountCode``.
  public var accountCode: String?
  /// The instant of the provider's last change.
  public var updatedAt: Timestamp?
  /// The provider's version number, larger in the newer of two versions.
  public var version: Int64?
  /// The documents that it pays, with the part of each.
  public var allocations: [Allocation] = []

  /// Creates a payment.
  public init(
    id: String, type: PaymentType, status: PaymentStatus, rawStatus: String, currency: Currency,
    amount: ExactDecimal
  ) {
    (self.id, self.type, self.status, self.rawStatus) = (id, type, status, rawStatus)
    (self.currency, self.amount) = (currency, amount)
  }
}

extension Payment: FieldListing {
  @usableFromInline package static var blank: Payment {
    Payment(
      id: "", type: .receipt, status: .unknown, rawStatus: "", currency: .placeholder, amount: .zero
    )
  }

  @inlinable package mutating func visit<Visitor: FieldVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.identifier("id", &id)
    try visitor.required("type", &type)
    try visitor.required("status", &status)
    try visitor.required("rawStatus", &rawStatus)
    try visitor.field("date", &date)
    try visitor.required("currency", &currency)
    try visitor.requiredAmount("amount", &amount)
    try visitor.amount("unallocatedAmount", &unallocatedAmount)
    try visitor.field("method", &method)
    try visitor.field("reference", &reference)
    try visitor.field("contactID", &contactID)
    try visitor.field("contactName", &contactName)
    try visitor.field("accountCode", &accountCode)
    try visitor.field("updatedAt", &updatedAt)
    try visitor.field("version", &version)
    try visitor.list("allocations", &allocations)
  }
}

/// The direction of a payment, from the view of the user who syncs it.
public enum PaymentType: String, Sendable, Hashable, CaseIterable {
  /// Money from a customer.
  case receipt
  /// Money to a supplier.
  case payment
  /// Money back to a customer.
  case refund
  /// Money back from a supplier.
  case supplierRefund = "supplier-refund"

  /// True if the money comes back that was paid before.
  public var isRefund: Bool { self == .refund || self == .supplierRefund }
}

/// The status of a payment, in terms common to all providers.
public enum PaymentStatus: String, Sendable, Hashable, CaseIterable {
  /// The money has moved, or counts as moved in the books.
  case completed
  /// The payment is under way.
  case pending
  /// The payment did not succeed.
  case failed
  /// The payment was cancelled after it had counted; it stays on record.
  case void
  /// The payment was removed by its owner.
  case deleted
  /// The provider's word for the status is unknown to this version.
  case unknown

  /// True if the payment counts in balances.
  public var counts: Bool { self == .completed || self == .unknown }
}

/// The part of a payment, or of a credit note, that settles a document.
public struct Allocation: Sendable, Hashable {
  /// The provider's identifier of the allocation, if there is one.
  public var id: String?
  /// The identifier of the invoice, bill or credit note that it settles.
  public var invoiceID: String
  /// The number of that document, if the provider states it here.
  public var invoiceNumber: String?
  /// The day of the allocation; `nil` if the provider states none, so that it is the payment's.
  public var date: CalendarDate?
  /// The amount, in the currency of the document that it settles.
  public var amount: ExactDecimal

  /// Creates an allocation.
  public init(
    id: String? = nil, invoiceID: String, invoiceNumber: String? = nil, date: CalendarDate? = nil,
    amount: ExactDecimal
  ) {
    (self.id, self.invoiceID, self.invoiceNumber) = (id, invoiceID, invoiceNumber)
    (self.date, self.amount) = (date, amount)
  }
}

extension Allocation: FieldListing {
  @usableFromInline package static var blank: Allocation {
    Allocation(invoiceID: "", amount: .zero)
  }

  @inlinable package mutating func visit<Visitor: FieldVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.field("id", &id)
    try visitor.required("invoiceID", &invoiceID)
    try visitor.field("invoiceNumber", &invoiceNumber)
    try visitor.field("date", &date)
    try visitor.requiredAmount("amount", &amount)
  }
}
