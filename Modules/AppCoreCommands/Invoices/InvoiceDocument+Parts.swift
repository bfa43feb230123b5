import Models

extension InvoiceDocument {
  struct TaxDocument: Encodable {
    let name: Nullable<String>
    let rate: Nullable<ExactDecimal>
    let taxableAmount: Nullable<ExactDecimal>
    let taxAmount: ExactDecimal

    init(_ tax: TaxSubtotal) {
      name = Nullable(tax.name)
      rate = Nullable(tax.rate)
      taxableAmount = Nullable(tax.taxableAmount)
      taxAmount = tax.taxAmount
    }
  }

  struct PaymentDocument: Encodable {
    let id: Nullable<String>
    let date: Nullable<CalendarDate>
    let amount: ExactDecimal
    let reference: Nullable<String>

    init(_ payment: Payment) {
      id = Nullable(payment.id)
      date = Nullable(payment.date)
      amount = payment.amount
      reference = Nullable(payment.reference)
    }
  }

  struct AttachmentDocument: Encodable {
    let id: Nullable<String>
    let fileName: Nullable<String>
    let mediaType: Nullable<String>
    let url: Nullable<String>

    init(_ attachment: AttachmentReference) {
      id = Nullable(attachment.id)
      fileName = Nullable(attachment.fileName)
      mediaType = Nullable(attachment.mediaType)
      url = Nullable(attachment.url)
    }
  }
}
