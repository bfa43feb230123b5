import Models

/// An invoice or bill of a tenant's ledger, from which every provider's form is derived.
///
/// Most names follow Xero's Accounting API. A value that Xero omits from its JSON is `nil`.
struct LedgerInvoice: Sendable, Hashable {
  enum Kind: Sendable, CaseIterable {
    case sale
    case bill
    case saleCredit
    case billCredit
  }

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
  /// True if it may be settled in every way: ``SandboxConfiguration/variesSettlements``.
  var isVaried = false

  var isLive: Bool { status != .void && status != .deleted }

  var isPurchase: Bool { kind == .bill || kind == .billCredit }

  /// The invoice as the model that is common to all providers.
  ///
  /// It is deliberately independent of the sync engine: a comparison of a mapping with itself would
  /// find no mistakes.
  var model: Invoice? {
    guard let currency = Currency(code: currencyCode) else { return nil }
    var invoice = Invoice(
      id: id,
      number: number,
      type: modelType,
      status: modelStatus,
      rawStatus: status.xero,
      contact: Party(id: contact.id, name: contact.name, email: contact.emailAddress.filled),
      currency: currency,
      issueDate: date,
      dueDate: dueDate,
      updatedAt: updatedAt,
      subtotal: subTotal,
      totalTax: totalTax,
      total: total,
      amountPaid: amountPaid,
      amountCredited: amountCredited,
      amountDue: amountDue,
      reference: reference.filled,
      lines: lines.map(\.model))
    invoice.linesIncludeTax = taxBasis == .inclusive
    invoice.home.inverseExchangeRate = currencyRate
    invoice.paidDate = fullyPaidOn
    invoice.expectedPaymentDate = expectedPaymentDate ?? plannedPaymentDate
    invoice.hasAttachments = hasAttachments
    return invoice
  }

  /// The tenant's own currency.
  static let homeCurrency = "USD"

  /// The rate in the other direction, as most providers state it.
  var exchangeRate: ExactDecimal? { ExactDecimal(1).divided(by: currencyRate, decimals: 6) }

  /// Returns an amount in the tenant's own currency, in cents.
  func home(_ amount: ExactDecimal) -> ExactDecimal {
    amount.divided(by: currencyRate, decimals: 12)?.rounded(toScale: 2) ?? .zero
  }

  private var modelType: InvoiceType {
    switch kind {
    case .sale: .invoice
    case .bill: .bill
    case .saleCredit: .creditNote
    case .billCredit: .billCredit
    }
  }

  private var modelStatus: InvoiceStatus {
    switch status {
    case .draft: .draft
    case .scheduled: .scheduled
    case .open: amountPaid.isZero && amountCredited.isZero ? .open : .partiallyPaid
    case .paid: .paid
    case .void: .void
    case .deleted: .deleted
    }
  }
}

struct LedgerContact: Sendable, Hashable {
  var id: String
  var name: String?
  var emailAddress: String?
}

struct LedgerLine: Sendable, Hashable {
  var id: String
  var itemCode: String?
  var description: String?
  var unitAmount: ExactDecimal?
  var taxType: String?
  var taxAmount: ExactDecimal?
  var lineAmount: ExactDecimal?
  var accountCode: String?
  var quantity: ExactDecimal?
  var discountRate: ExactDecimal?
  /// The region by which the line is analysed.
  var region: String?
}

extension LedgerContact {
  /// The number by which the tenant knows the contact; `nil` for one without a name.
  var accountNumber: String? { name.map { _ in "K-" + id.prefix(4) } }

  /// The city of its address, likewise.
  var city: String? { name.map { $0.contains("Bakery") ? "Zürich" : "Genève" } }
}

extension LedgerLine {
  /// The name of the line's tax, from a list of taxes.
  var taxName: String? { taxType.map { "Tax \($0)" } }

  /// The name of the line's account, from a list of accounts.
  var accountName: String? { accountCode.map { "Account \($0)" } }

  var model: InvoiceLine {
    var line = InvoiceLine(
      id: id,
      description: description.filled,
      quantity: quantity,
      unitAmount: unitAmount,
      taxType: taxType,
      taxAmount: taxAmount,
      lineAmount: lineAmount,
      accountCode: accountCode)
    (line.discountRate, line.itemCode) = (discountRate, itemCode)
    line.tracking = region.map { "Region: \($0)" }
    (line.taxName, line.accountName) = (taxName, accountName)
    return line
  }
}

extension [LedgerInvoice] {
  /// The names of what lines have codes of, each once, in the order of the codes.
  func names(
    _ read: (LedgerLine) -> (code: String?, name: String?)
  ) -> [(code: String, name: String)] {
    var names: [String: String] = [:]
    for line in lazy.flatMap(\.lines) {
      if case (let code?, let name?) = read(line) { names[code] = name }
    }
    return names.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension String? {
  /// The text; `nil` if it is empty, which a provider may send for a text that a record lacks.
  fileprivate var filled: String? { flatMap { $0.isEmpty ? nil : $0 } }
}
