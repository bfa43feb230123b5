/// An invoice, bill or credit note as its provider has it, in the terms of EN 16931.
///
/// Amounts are exact and unrounded, all in ``currency``. An optional value is `nil` if the provider
/// sent none; no value is invented.
public struct Invoice: Sendable, Hashable, Identifiable {
  /// The provider's identifier, unique within one account.
  public var id: String
  /// The number that is printed on the invoice (BT-1).
  public var number: String?
  /// The kind of document (BT-3).
  public var type: InvoiceType
  /// The status of the invoice.
  public var status: InvoiceStatus
  /// The provider's own word for the status.
  public var rawStatus: String
  /// The other party: the buyer of a sale (BG-7), the seller of a bill (BG-4).
  public var contact: Party
  /// The party whose invoices these are: the seller of a sale, the buyer of a bill; `nil` if the
  /// provider does not state it.
  public var ownParty: Party?
  /// The currency of every amount (BT-5).
  public var currency: Currency
  /// The day of issue (BT-2).
  public var issueDate: CalendarDate?
  /// The day payment is due (BT-9).
  public var dueDate: CalendarDate?
  /// The first day of the invoiced period (BT-73).
  public var periodStart: CalendarDate?
  /// The last day of the invoiced period (BT-74).
  public var periodEnd: CalendarDate?
  /// The instant of the provider's last change; `nil` if it is not stated.
  public var updatedAt: Timestamp?
  /// The provider's own count of changes, if there is one; the newer of two versions has the
  /// larger.
  public var version: Int64?
  /// The sum of the lines (BT-106).
  public var lineTotal: ExactDecimal?
  /// The sum of allowances, without tax (BT-107).
  public var allowanceTotal: ExactDecimal?
  /// The sum of charges, without tax (BT-108).
  public var chargeTotal: ExactDecimal?
  /// The total without tax (BT-109).
  public var subtotal: ExactDecimal?
  /// The total tax (BT-110).
  public var totalTax: ExactDecimal?
  /// The total with tax (BT-112).
  public var total: ExactDecimal
  /// The amount paid (BT-113).
  public var amountPaid: ExactDecimal?
  /// The amount credited.
  public var amountCredited: ExactDecimal?
  /// The amount added to round the amount due (BT-114).
  public var roundingAmount: ExactDecimal?
  /// The amount that remains to be paid (BT-115); of a stored invoice whose provider does not state
  /// it, what its payments and credits leave.
  public var amountDue: ExactDecimal?
  /// The buyer's reference or the like (BT-10).
  public var reference: String?
  /// The number of the buyer's order (BT-13).
  public var orderNumber: String?
  /// True if the amounts of the lines include tax; `nil` if the provider does not state it.
  public var linesIncludeTax: Bool?
  /// The lines, in the provider's order.
  public var lines: [InvoiceLine]
  /// The allowances and charges on the whole.
  public var allowancesAndCharges: [AllowanceCharge] = []
  /// The documents that a credit note settles, with the part of each; of an invoice, the credit
  /// notes that settle it, if its provider names them there.
  public var allocations: [Allocation] = []
  /// The tax by category and rate (BG-23), if the provider states it; otherwise see ``taxByLine``.
  public var taxBreakdown: [TaxSubtotal] = []
  /// The payments.
  public var payments: [InvoicePayment] = []
  /// The documents that belong to the invoice and stay at the provider.
  public var attachments: [AttachmentReference] = []
  /// The rate between the invoice's currency and that of the books, and amounts in the latter.
  public var home = HomeAmounts()
  /// The day on which everything was paid or settled.
  public var paidDate: CalendarDate?
  /// The day on which the payment is expected or planned.
  public var expectedPaymentDate: CalendarDate?
  /// The tax that the payer withholds from the payment and pays for the seller, such as CIS or TDS.
  public var withheldAmount: ExactDecimal?
  /// True if the buyer owes the tax (category AE of BT-118); `nil` if the provider does not state
  /// it.
  public var isReverseCharge: Bool?
  /// The reason why no tax is due, in the provider's words (BT-120).
  public var taxExemption: String?
  /// True if the provider keeps files with the invoice; `nil` if it does not state it.
  public var hasAttachments: Bool?
  /// The values of fields that the user has added to the provider's.
  public var customFields: [CustomField] = []

  /// Creates an invoice.
  public init(
    id: String,
    number: String? = nil,
    type: InvoiceType,
    status: InvoiceStatus,
    rawStatus: String,
    contact: Party = Party(),
    currency: Currency,
    issueDate: CalendarDate? = nil,
    dueDate: CalendarDate? = nil,
    updatedAt: Timestamp? = nil,
    subtotal: ExactDecimal? = nil,
    totalTax: ExactDecimal? = nil,
    total: ExactDecimal,
    amountPaid: ExactDecimal? = nil,
    amountCredited: ExactDecimal? = nil,
    amountDue: ExactDecimal? = nil,
    reference: String? = nil,
    lines: [InvoiceLine] = []
  ) {
    self.id = id
    self.number = number
    self.type = type
    self.status = status
    self.rawStatus = rawStatus
    self.contact = contact
    self.currency = currency
    self.issueDate = issueDate
    self.dueDate = dueDate
    self.updatedAt = updatedAt
    self.subtotal = subtotal
    self.totalTax = totalTax
    self.total = total
    self.amountPaid = amountPaid
    self.amountCredited = amountCredited
    self.amountDue = amountDue
    self.reference = reference
    self.lines = lines
  }

  /// The total as money.
  public var totalMoney: Money { Money(total, currency) }

  /// The amount due as money; the total of an open invoice if the provider does not state what is
  /// due, as in every sum.
  public var amountDueMoney: Money? {
    (amountDue ?? (status == .open ? total : nil)).map { Money($0, currency) }
  }

  /// Returns whether the invoice waits for a payment that was due before a day.
  public func isOverdue(on day: CalendarDate) -> Bool {
    guard status == .open || status == .partiallyPaid, let dueDate else { return false }
    return dueDate < day
  }
}

extension Invoice: FieldListing {
  @usableFromInline package static var blank: Invoice {
    Invoice(
      id: "", type: .invoice, status: .unknown, rawStatus: "", currency: .placeholder, total: .zero)
  }

  @inlinable package mutating func visit<Visitor: FieldVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.identifier("id", &id)
    try visitor.field("number", &number)
    try visitor.required("type", &type)
    try visitor.required("status", &status)
    try visitor.required("rawStatus", &rawStatus)
    try visitor.part("contact", &contact)
    try visitor.required("currency", &currency)
    try visitor.field("issueDate", &issueDate)
    try visitor.field("dueDate", &dueDate)
    try visitor.field("periodStart", &periodStart)
    try visitor.field("periodEnd", &periodEnd)
    try visitor.field("updatedAt", &updatedAt)
    try visitor.field("version", &version)
    try visitor.amount("lineTotal", &lineTotal)
    try visitor.amount("allowanceTotal", &allowanceTotal)
    try visitor.amount("chargeTotal", &chargeTotal)
    try visitor.amount("subtotal", &subtotal)
    try visitor.amount("totalTax", &totalTax)
    try visitor.requiredAmount("total", &total)
    try visitor.amount("amountPaid", &amountPaid)
    try visitor.amount("amountCredited", &amountCredited)
    try visitor.amount("roundingAmount", &roundingAmount)
    try visitor.amount("amountDue", &amountDue)
    try visitor.field("reference", &reference)
    try visitor.field("orderNumber", &orderNumber)
    try visitor.field("linesIncludeTax", &linesIncludeTax)
    try visitor.list("lines", &lines)
    try visitor.list("taxBreakdown", &taxBreakdown)
    try visitor.list("payments", &payments)
    try visitor.list("attachments", &attachments)
    try visitor.part("ownParty", &ownParty)
    try visitor.list("allowancesAndCharges", &allowancesAndCharges)
    try visitor.list("allocations", &allocations)
    try visitor.part("home", &home)
    try visitor.field("paidDate", &paidDate)
    try visitor.field("expectedPaymentDate", &expectedPaymentDate)
    try visitor.amount("withheldAmount", &withheldAmount)
    try visitor.field("isReverseCharge", &isReverseCharge)
    try visitor.field("taxExemption", &taxExemption)
    try visitor.field("hasAttachments", &hasAttachments)
    try visitor.list("customFields", &customFields)
  }
}

/// The kind of document that an invoice is, from the view of the user who syncs it.
public enum InvoiceType: String, Sendable, Hashable, Codable, CaseIterable {
  /// A claim on a customer (EN 16931 BT-3 code 380, issued by the user).
  case invoice
  /// A credit to a customer (code 381, issued by the user).
  ///
  /// Its amounts are as the provider writes them: mostly positive, but negative if the provider's
  /// credit note is an invoice with negative amounts (Moneybird).
  case creditNote = "credit-note"
  /// A supplier's claim on the user (code 380, received).
  case bill
  /// A supplier's credit to the user (code 381, received).
  case billCredit = "bill-credit"
}

/// The status of an invoice, in terms common to all providers.
///
/// ``Invoice/rawStatus`` keeps the provider's own word.
public enum InvoiceStatus: String, Sendable, Hashable, Codable, CaseIterable {
  /// The invoice is being written, and was not sent.
  case draft
  /// The invoice is finished, and will be approved or sent later.
  case scheduled
  /// The invoice was sent or approved; nothing is paid yet.
  case open
  /// A part is paid, and a part is due.
  case partiallyPaid = "partially-paid"
  /// Nothing is due any more.
  case paid
  /// The invoice was cancelled after it was issued; it stays on record.
  case void
  /// The invoice was removed by its owner.
  case deleted
  /// The invoice was paid, and the payment returned.
  case refunded
  /// The amount is not expected to be collected.
  case writtenOff = "written-off"
  /// The provider's word for the status is unknown to this version.
  case unknown
}

extension Invoice {
  /// The tax by category and rate: ``taxBreakdown``, or else ``taxByLine``.
  public var taxes: [TaxSubtotal] { taxBreakdown.isEmpty ? taxByLine : taxBreakdown }

  /// The tax by the provider's codes, summed from the lines.
  ///
  /// It is for invoices without a ``taxBreakdown`` of their own: Xero, for example, states code and
  /// tax of each line but no breakdown. The sums are exact, in the order in which the codes first
  /// appear in the lines. The rate is `nil`, because no line states it. The taxable amount is
  /// without tax, and `nil` if it is unknown whether the lines include tax. The result is empty if
  /// a line with an amount lacks its code or its tax.
  public var taxByLine: [TaxSubtotal] {
    var parts: [TaxSubtotal] = []
    var positions: [String: Int] = [:]
    for line in lines {
      // A line with text only has no tax.
      if line.lineAmount == nil, line.taxAmount == nil { continue }
      guard let amount = line.lineAmount, let code = line.taxType, let tax = line.taxAmount
      else { return [] }
      let position = positions[code] ?? parts.count
      if position == parts.count {
        positions[code] = position
        parts.append(
          TaxSubtotal(
            name: code, taxableAmount: linesIncludeTax.map { _ in .zero }, taxAmount: .zero))
      }
      let net = linesIncludeTax == true ? amount.subtracting(tax) : amount
      guard let net, let taxSum = parts[position].taxAmount.adding(tax) else { return [] }
      parts[position].taxAmount = taxSum
      guard let taxable = parts[position].taxableAmount else { continue }
      guard let netSum = taxable.adding(net) else { return [] }
      parts[position].taxableAmount = netSum
    }
    return parts
  }
}
