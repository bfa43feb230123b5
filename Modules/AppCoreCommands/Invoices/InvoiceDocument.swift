import Models
import Storage

/// An invoice in JSON, as `list` and `show` print it: amounts as texts, absent values as `null`.
struct InvoiceDocument: Encodable {
  let id: String
  let number: Nullable<String>
  let type: InvoiceType
  let status: InvoiceStatus
  let rawStatus: String
  let contact: ContactDocument
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
  /// Left out of lists, as is all that follows.
  let lines: [LineDocument]?
  let taxBreakdown: [TaxDocument]?
  let payments: [PaymentDocument]?
  let attachments: [AttachmentDocument]?
  /// Sums that do not come out, as sentences.
  let arithmetic: [String]?
  /// Of an export.
  let deletedAt: Nullable<Timestamp>?
  let deletedReason: Nullable<String>?

  init(_ stored: StoredInvoice, withLines: Bool = true, isExport: Bool = false) {
    let invoice = stored.invoice
    id = invoice.id
    number = Nullable(invoice.number)
    type = invoice.type
    status = invoice.status
    rawStatus = invoice.rawStatus
    contact = ContactDocument(
      id: Nullable(invoice.contact.id), name: Nullable(invoice.contact.name),
      email: Nullable(invoice.contact.email))
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
    lines = withLines ? invoice.lines.map(LineDocument.init) : nil
    taxBreakdown = withLines ? invoice.taxBreakdown.map(TaxDocument.init) : nil
    payments = withLines ? invoice.payments.map(PaymentDocument.init) : nil
    attachments = withLines ? invoice.attachments.map(AttachmentDocument.init) : nil
    deletedAt = isExport ? Nullable(stored.deletedAt) : nil
    deletedReason = isExport ? Nullable(stored.deletedReason) : nil
    arithmetic = withLines ? invoice.arithmeticFindings.map(\.description) : nil
  }

  struct ContactDocument: Encodable {
    let id: Nullable<String>
    let name: Nullable<String>
    let email: Nullable<String>
  }

  struct LineDocument: Encodable {
    let id: Nullable<String>
    let description: Nullable<String>
    let quantity: Nullable<ExactDecimal>
    let unitAmount: Nullable<ExactDecimal>
    let taxType: Nullable<String>
    let taxAmount: Nullable<ExactDecimal>
    let lineAmount: Nullable<ExactDecimal>
    let accountCode: Nullable<String>

    init(_ line: InvoiceLine) {
      id = Nullable(line.id)
      description = Nullable(line.description)
      quantity = Nullable(line.quantity)
      unitAmount = Nullable(line.unitAmount)
      taxType = Nullable(line.taxType)
      taxAmount = Nullable(line.taxAmount)
      lineAmount = Nullable(line.lineAmount)
      accountCode = Nullable(line.accountCode)
    }
  }
}
