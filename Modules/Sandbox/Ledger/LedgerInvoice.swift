import Models

/// An invoice or bill of a tenant's ledger, from which every provider's form is derived.
///
/// Most names follow Xero's Accounting API. A value that Xero omits from its JSON is `nil`.
struct LedgerInvoice: Sendable, Hashable {
  /// The kinds of documents.
  enum Kind: Sendable, CaseIterable {
    /// An invoice to a customer.
    case sale
    /// An invoice from a supplier.
    case bill
    /// A credit note to a customer.
    case saleCredit
    /// A credit note from a supplier.
    case billCredit
  }

  /// The statuses of a document.
  enum Status: Sendable, CaseIterable {
    case draft
    /// It waits for an approval, or for the day on which it is sent.
    case scheduled
    /// It is approved, and not paid, or only in part.
    case open
    case paid
    case void
    case deleted
  }

  /// The ways in which amounts of lines relate to their tax.
  enum TaxBasis: Sendable, CaseIterable {
    case exclusive
    case inclusive
    case noTax
  }

  var kind: Kind
  var id: String
  var number: String?
  var reference: String?
  var contact: LedgerContact
  var date: CalendarDate?
  var dueDate: CalendarDate?
  var plannedPaymentDate: CalendarDate?
  var expectedPaymentDate: CalendarDate?
  var fullyPaidOn: CalendarDate?
  var status: Status
  var taxBasis: TaxBasis
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
  var isLive: Bool { status != .void && status != .deleted }

  /// True if the other party is a supplier.
  var isPurchase: Bool { kind == .bill || kind == .billCredit }
}

/// The other party of an invoice.
struct LedgerContact: Sendable, Hashable {
  var id: String
  var name: String?
  var emailAddress: String?
}
