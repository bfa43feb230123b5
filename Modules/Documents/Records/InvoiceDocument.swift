import Models
package import Storage

/// An invoice as JSON, with everything that is stored: amounts as strings, absent values as `null`.
package struct InvoiceDocument: Encodable {
  let id: String
  let number: Nullable<String>
  let type: InvoiceType
  let status: InvoiceStatus
  let rawStatus: String
  let contact: PartyDocument
  let currency: Currency
  let issueDate: Nullable<CalendarDate>
  let dueDate: Nullable<CalendarDate>
  let updatedAt: Nullable<Timestamp>
  let subtotal: Nullable<ExactDecimal>
  let totalTax: Nullable<ExactDecimal>
  let total: ExactDecimal
  let amountPaid: Nullable<ExactDecimal>
  let amountCredited: Nullable<ExactDecimal>
  let amountDue: Nullable<ExactDecimal>
  let reference: Nullable<String>
  let orderNumber: Nullable<String>
  let periodStart: Nullable<CalendarDate>
  let periodEnd: Nullable<CalendarDate>
  let version: Nullable<Int64>
  let lineTotal: Nullable<ExactDecimal>
  let allowanceTotal: Nullable<ExactDecimal>
  let chargeTotal: Nullable<ExactDecimal>
  let roundingAmount: Nullable<ExactDecimal>
  let linesIncludeTax: Nullable<Bool>
  let account: String
  let deletedAt: Nullable<Timestamp>
  let deletedReason: Nullable<String>
  /// Omitted in lists of invoices, as are all properties after it.
  let lines: [LineDocument]?
  let taxBreakdown: [TaxDocument]?
  let payments: [PaymentDocument]?
  let attachments: [AttachmentDocument]?
  let allowancesAndCharges: [AllowanceChargeDocument]?
  let ownParty: Nullable<PartyDocument>?
  /// Sentences about sums that do not add up.
  let arithmetic: [String]?

  package init(_ stored: StoredInvoice, withLines: Bool = true) {
    let invoice = stored.invoice
    id = invoice.id
    number = Nullable(invoice.number)
    type = invoice.type
    status = invoice.status
    rawStatus = invoice.rawStatus
    contact = PartyDocument(invoice.contact, withAddress: withLines)
    currency = invoice.currency
    issueDate = Nullable(invoice.issueDate)
    dueDate = Nullable(invoice.dueDate)
    updatedAt = Nullable(invoice.updatedAt)
    subtotal = Nullable(invoice.subtotal)
    totalTax = Nullable(invoice.totalTax)
    total = invoice.total
    amountPaid = Nullable(invoice.amountPaid)
    amountCredited = Nullable(invoice.amountCredited)
    amountDue = Nullable(invoice.amountDue)
    reference = Nullable(invoice.reference)
    orderNumber = Nullable(invoice.orderNumber)
    periodStart = Nullable(invoice.periodStart)
    periodEnd = Nullable(invoice.periodEnd)
    version = Nullable(invoice.version)
    lineTotal = Nullable(invoice.lineTotal)
    allowanceTotal = Nullable(invoice.allowanceTotal)
    chargeTotal = Nullable(invoice.chargeTotal)
    roundingAmount = Nullable(invoice.roundingAmount)
    linesIncludeTax = Nullable(invoice.linesIncludeTax)
    account = stored.account
    deletedAt = Nullable(stored.deletedAt)
    deletedReason = Nullable(stored.deletedReason)
    lines = withLines ? invoice.lines.map(LineDocument.init) : nil
    let taxes = invoice.taxBreakdown.isEmpty ? invoice.taxByLine : invoice.taxBreakdown
    taxBreakdown = withLines ? taxes.map(TaxDocument.init) : nil
    payments = withLines ? invoice.payments.map(PaymentDocument.init) : nil
    attachments = withLines ? invoice.attachments.map(AttachmentDocument.init) : nil
    allowancesAndCharges =
      withLines ? invoice.allowancesAndCharges.map(AllowanceChargeDocument.init) : nil
    ownParty = withLines ? Nullable(invoice.ownParty.map { PartyDocument($0) }) : nil
    arithmetic = withLines ? invoice.arithmeticFindings.map(\.description) : nil
  }
}

/// The document that `appcore invoices show` prints.
package struct InvoiceShowDocument: Encodable {
  let schemaVersion = 1
  let invoice: InvoiceDocument

  package init(_ stored: StoredInvoice) { invoice = InvoiceDocument(stored) }
}
