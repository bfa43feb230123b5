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
  let updatedAt: Timestamp
  let subtotal: Nullable<ExactDecimal>
  let totalTax: Nullable<ExactDecimal>
  let total: ExactDecimal
  let amountPaid: Nullable<ExactDecimal>
  let amountCredited: Nullable<ExactDecimal>
  let amountDue: Nullable<ExactDecimal>
  let reference: Nullable<String>
  /// Left out of lists.
  let lines: [LineDocument]?

  init(_ stored: StoredInvoice, withLines: Bool) {
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
    updatedAt = invoice.updatedAt
    subtotal = Nullable(invoice.subtotal)
    totalTax = Nullable(invoice.totalTax)
    total = invoice.total
    amountPaid = Nullable(invoice.amountPaid)
    amountCredited = Nullable(invoice.amountCredited)
    amountDue = Nullable(invoice.amountDue)
    reference = Nullable(invoice.reference)
    lines = withLines ? invoice.lines.map(LineDocument.init) : nil
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
