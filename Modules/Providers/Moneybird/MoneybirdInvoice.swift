package import JSONReading
package import Models
import Sync

/// Sales invoices.
package enum MoneybirdInvoices: MoneybirdList {
  package static let path = "sales_invoices"
  // Without a filter, Moneybird lists only this year. Any filter replaces that default. A period
  // that ends far in the future includes today; without today, drafts without a date are missing.
  package static let filters = ["state:all", "period:19000101..99991231"]

  package static func read(_ reader: inout JSONReader) throws -> MoneybirdRow<Invoice> {
    try MoneybirdInvoice.read(&reader, .sale)
  }
}

/// The invoices to customers that another program has made.
///
/// https://developer.moneybird.com/api/external_sales_invoices/. The prefix keeps their files apart
/// from those of sales invoices; a credit is one of the same list.
package enum MoneybirdExternalInvoices: MoneybirdList {
  package static let path = "external_sales_invoices"
  package static let filters = MoneybirdInvoices.filters
  package static let prefix = "external/"
  // The documentation names no filter by change, so each run lists all versions.
  package static let isFilteredByChange = false

  package static func read(_ reader: inout JSONReader) throws -> MoneybirdRow<Invoice> {
    try MoneybirdInvoice.read(&reader, .external)
  }
}

/// The invoices of suppliers.
///
/// https://developer.moneybird.com/api/documents_purchase_invoices/
package enum MoneybirdPurchaseInvoices: MoneybirdList {
  package static let path = "documents/purchase_invoices"
  package static let filters = MoneybirdInvoices.filters

  package static func read(_ reader: inout JSONReader) throws -> MoneybirdRow<Invoice> {
    try MoneybirdInvoice.read(&reader, .purchase)
  }
}

/// The fields of a Moneybird invoice, collected until they make an invoice.
private struct MoneybirdInvoice {
  enum Kind {
    case sale
    case external
    case purchase
  }

  private let kind: Kind
  private var draft = InvoiceDraft()
  private var contactID: String?
  /// The invoice that this one credits.
  private var creditedID: String?
  private var pricesIncludeTax: Bool?
  private var credited: [ExactDecimal] = []
  /// The discount on every line, in percent.
  private var discount: ExactDecimal?
  /// The texts that the law requires for a tax, such as of a reverse charge.
  private var taxTexts: [String] = []

  private init(_ kind: Kind) { self.kind = kind }

  /// Reads a row of a list.
  static func read(_ reader: inout JSONReader, _ kind: Kind) throws -> MoneybirdRow<Invoice> {
    var fields = MoneybirdInvoice(kind)
    let head = try MoneybirdHead(&reader) { try fields.read($1, from: &$0) }
    return try head.row(fields.prefix) { try fields.invoice($0, offset: $1) }
  }

  private var prefix: String { kind == .external ? MoneybirdExternalInvoices.prefix : "" }

  private mutating func read(_ key: JSONKey, from reader: inout JSONReader) throws {
    switch key {
    case "contact_id": contactID = try reader.readOptionalIdentifier()
    case "original_sales_invoice_id": creditedID = try reader.readOptionalIdentifier()
    case "contact":
      draft.invoice.contact =
        try reader.readOptional { try MoneybirdContact(party: &$0).party } ?? Party()
    // The invoice number; a draft has none.
    case "invoice_id": draft.invoice.number = try reader.readOptionalString()
    case "state": draft.invoice.rawStatus = try reader.readOptionalString() ?? ""
    case "currency":
      draft.currency = try reader.readOptionalString().flatMap(Currency.init(code:))
    case "invoice_date", "date": draft.invoice.issueDate = try reader.readOptionalCalendarDate()
    case "due_date": draft.invoice.dueDate = try reader.readOptionalCalendarDate()
    case "updated_at": draft.invoice.updatedAt = try reader.readOptionalTimestamp()
    // Other programs and suppliers have numbers of their own, which Moneybird calls references.
    case "reference":
      let text = try reader.readOptionalString()
      if kind == .sale { draft.invoice.reference = text } else { draft.invoice.number = text }
    case "prices_are_incl_tax":
      pricesIncludeTax = try reader.readOptionalBool()
    case "total_price_excl_tax": draft.invoice.subtotal = try reader.readOptionalDecimal()
    case "total_price_incl_tax": draft.total = try reader.readOptionalDecimal()
    case "total_paid": draft.invoice.amountPaid = try reader.readOptionalDecimal()
    case "total_unpaid": draft.invoice.amountDue = try reader.readOptionalDecimal()
    case "details":
      try reader.readList { reader in
        draft.invoice.lines.append(try MoneybirdParts.line(&reader, &taxTexts))
      }
    case "discount": discount = try reader.readOptionalDecimal()
    case "paid_at": draft.invoice.paidDate = try reader.readOptionalCalendarDate()
    case "total_price_excl_tax_base":
      draft.invoice.home.subtotal = try reader.readOptionalDecimal()
    case "total_price_incl_tax_base": draft.invoice.home.total = try reader.readOptionalDecimal()
    case "total_unpaid_base": draft.invoice.home.amountDue = try reader.readOptionalDecimal()
    case "custom_fields":
      try reader.readList { draft.invoice.customFields.append(try MoneybirdParts.customField(&$0)) }
    case "tax_totals":
      try reader.readList { draft.invoice.taxBreakdown.append(try MoneybirdParts.tax(&$0)) }
    case "payments": try reader.readList { try readPayment(&$0) }
    case "attachments":
      try reader.readList { draft.invoice.attachments.append(try MoneybirdParts.attachment(&$0)) }
    default: try reader.skipValue()
    }
  }

  /// Reads a payment; Moneybird also lists the amount that a credit invoice settles as a payment.
  private mutating func readPayment(_ reader: inout JSONReader) throws {
    let (payment, creditID) = try MoneybirdParts.payment(&reader)
    guard let creditID else { return draft.invoice.payments.append(payment) }
    credited.append(payment.amount)
    draft.invoice.allocations.append(
      Allocation(
        id: payment.id, invoiceID: prefix + creditID, date: payment.date, amount: payment.amount))
  }

  private func invoice(_ id: String, offset: Int) throws -> Invoice {
    var draft = draft
    draft.id = id
    if kind == .purchase { settlePurchase(&draft) }
    // `total_paid` includes the credited amount.
    if !credited.isEmpty {
      let credit = ExactDecimal.sum(credited)
      draft.invoice.amountCredited = credit
      if let credit { draft.invoice.amountPaid = draft.invoice.amountPaid?.subtracting(credit) }
    }
    draft.invoice.contact.id = draft.invoice.contact.id ?? contactID
    if let total = draft.total {
      draft.type =
        kind == .purchase
        ? isCredit(total) ? .billCredit : .bill : isCredit(total) ? .creditNote : .invoice
      draft.invoice.totalTax = draft.invoice.subtotal.flatMap { total.subtracting($0) }
    }
    draft.invoice.status = Self.status(
      draft.invoice.rawStatus,
      paid: [draft.invoice.amountPaid, draft.invoice.amountCredited].compactMap(\.self))
    let home = draft.invoice.home
    draft.invoice.home.totalTax = home.subtotal.flatMap { home.total?.subtracting($0) }
    if !taxTexts.isEmpty { draft.invoice.taxExemption = taxTexts.joined(separator: "; ") }
    if let discount, !discount.isZero {
      for index in draft.invoice.lines.indices {
        draft.invoice.lines[index].discountRate = discount
      }
    }
    // Line amounts always exclude tax; only the prices may include it.
    draft.invoice.linesIncludeTax = pricesIncludeTax == false ? false : nil
    return try draft.finished(Self.keys, at: offset)
  }

  /// Adds what Moneybird states of invoices to customers alone.
  private func settlePurchase(_ draft: inout InvoiceDraft) {
    // A document that nobody has entered yet has no amounts.
    if draft.invoice.rawStatus == "new" { draft.total = draft.total ?? .zero }
    guard let total = draft.total,
      let paid = ExactDecimal.sum(draft.invoice.payments.map(\.amount) + credited)
    else { return }
    draft.invoice.amountPaid = paid
    draft.invoice.amountDue = draft.invoice.rawStatus == "paid" ? .zero : total.subtracting(paid)
  }

  /// The total says of which type the invoice is.
  private static let keys = InvoiceDraft.Keys(
    id: "id", type: "total_price_incl_tax", currency: "currency", total: "total_price_incl_tax")

  /// Returns true for a credit invoice: its total is negative, or zero if it names another invoice.
  private func isCredit(_ total: ExactDecimal) -> Bool {
    total.isNegative || total.isZero && creditedID != nil
  }

  private static func status(_ state: String, paid: [ExactDecimal]) -> InvoiceStatus {
    switch state {
    // A document that is new is not in the books yet.
    case "draft", "new": .draft
    case "scheduled": .scheduled
    case "open", "pending_payment", "late", "reminded":
      paid.allSatisfy(\.isZero) ? .open : .partiallyPaid
    case "paid": .paid
    case "uncollectible": .writtenOff
    default: .unknown
    }
  }
}

/// Readers for the parts of a Moneybird sales invoice.
private enum MoneybirdParts {
  static func line(
    _ reader: inout JSONReader, _ taxTexts: inout [String]
  ) throws -> InvoiceLine {
    var line = InvoiceLine()
    var project: String?
    try reader.readObject { reader, key in
      switch key {
      case "id": line.id = try reader.readOptionalIdentifier()
      case "description": line.description = try reader.readOptionalString()
      // Another key has the quantity as the user wrote it, such as "2 hours".
      case "amount_decimal": line.quantity = try reader.readOptionalDecimal()
      case "price": line.unitAmount = try reader.readOptionalDecimal()
      case "tax_rate_id": line.taxType = try reader.readOptionalIdentifier()
      case "total_price_excl_tax_with_discount":
        line.lineAmount = try reader.readOptionalDecimal()
      case "ledger_account_id": line.accountCode = try reader.readOptionalIdentifier()
      case "product_id": line.itemCode = try reader.readOptionalIdentifier()
      case "project_id": project = try reader.readOptionalIdentifier()
      case "period":
        (line.periodStart, line.periodEnd) = period(try reader.readOptionalString() ?? "")
      case "mandatory_tax_text":
        if let text = try reader.readOptionalString(), !taxTexts.contains(text) {
          taxTexts.append(text)
        }
      default: try reader.skipValue()
      }
    }
    line.tracking = InvoiceLine.tracking([("Project", project)])
    return line
  }

  /// Returns the days in `20250501..20250531`, or those of the months in `202505..202506`.
  private static func period(_ text: String) -> (CalendarDate?, CalendarDate?) {
    let parts = text.split(separator: "..", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return (nil, nil) }
    func day(_ digits: Substring) -> CalendarDate? {
      digits.count == 8
        ? CalendarDate("\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))")
        : nil
    }
    func month(_ digits: Substring) -> CalendarPeriod? {
      day(digits + "01").map { CalendarPeriod(CalendarMonth(of: $0)) }
    }
    return (
      day(parts[0]) ?? month(parts[0])?.first, day(parts[1]) ?? month(parts[1])?.last
    )
  }

  static func customField(_ reader: inout JSONReader) throws -> CustomField {
    var field = CustomField()
    try reader.readObject { reader, key in
      switch key {
      case "name": field.name = try reader.readOptionalString()
      case "value": field.value = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
    return field
  }

  static func tax(_ reader: inout JSONReader) throws -> TaxSubtotal {
    var tax = TaxSubtotal(taxAmount: .zero)
    var amount: ExactDecimal?
    try reader.readObject { reader, key in
      switch key {
      case "tax_rate_id": tax.name = try reader.readOptionalIdentifier()
      case "taxable_amount": tax.taxableAmount = try reader.readOptionalDecimal()
      case "tax_amount": amount = try reader.readOptionalDecimal()
      default: try reader.skipValue()
      }
    }
    guard let amount else { throw reader.mistake("a tax without an amount") }
    tax.taxAmount = amount
    return tax
  }

  static func payment(_ reader: inout JSONReader) throws -> (InvoicePayment, creditID: String?) {
    var payment = InvoicePayment(amount: .zero)
    var amount: ExactDecimal?
    var creditID: String?
    try reader.readObject { reader, key in
      switch key {
      case "id": payment.id = try reader.readOptionalIdentifier()
      case "payment_date": payment.date = try reader.readOptionalCalendarDate()
      case "price": amount = try reader.readOptionalDecimal()
      case "transaction_identifier": payment.reference = try reader.readOptionalString()
      case "credit_invoice_id": creditID = try reader.readOptionalIdentifier()
      default: try reader.skipValue()
      }
    }
    guard let amount else { throw reader.mistake("a payment without an amount") }
    payment.amount = amount
    return (payment, creditID)
  }

  static func attachment(_ reader: inout JSONReader) throws -> AttachmentReference {
    var attachment = AttachmentReference()
    try reader.readObject { reader, key in
      switch key {
      case "id": attachment.id = try reader.readOptionalIdentifier()
      case "filename": attachment.fileName = try reader.readOptionalString()
      case "content_type": attachment.mediaType = try reader.readOptionalString()
      case "size": attachment.size = try reader.readOptionalInt().map { Int64($0) }
      default: try reader.skipValue()
      }
    }
    return attachment
  }
}
