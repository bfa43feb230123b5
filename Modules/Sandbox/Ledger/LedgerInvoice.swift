import Models

/// An invoice or bill of a tenant's ledger, from which every provider's form is derived.
///
/// Names and codes follow Xero's Accounting API, which has most of them. A value that Xero omits
/// from its JSON is `nil`.
struct LedgerInvoice: Sendable, Hashable {
  /// `ACCREC` for a sales invoice, `ACCPAY` for a bill.
  var type: String
  var id: String
  var number: String?
  var reference: String?
  var contact: LedgerContact
  var date: CalendarDate?
  var dueDate: CalendarDate?
  var plannedPaymentDate: CalendarDate?
  var expectedPaymentDate: CalendarDate?
  var fullyPaidOn: CalendarDate?
  /// `DRAFT`, `SUBMITTED`, `AUTHORISED`, `PAID`, `VOIDED` or `DELETED`.
  var status: String
  /// `Exclusive`, `Inclusive` or `NoTax`.
  var lineAmountTypes: String
  var lines: [LedgerLine]
  var subTotal: ExactDecimal
  var totalTax: ExactDecimal
  var total: ExactDecimal
  var amountDue: ExactDecimal
  var amountPaid: ExactDecimal
  var amountCredited: ExactDecimal
  var currencyCode: String
  var currencyRate: ExactDecimal
  var isDiscounted: Bool
  var hasAttachments: Bool
  var hasErrors: Bool
  var sentToContact: Bool?
  var url: String?
  /// The last change, to the millisecond, which is Xero's precision.
  var updatedAt: Timestamp

  /// True if the invoice counts in the books: neither voided nor deleted.
  var isLive: Bool { status != "VOIDED" && status != "DELETED" }
}

/// The other party of an invoice.
struct LedgerContact: Sendable, Hashable {
  var id: String
  var name: String?
  var emailAddress: String?
}
