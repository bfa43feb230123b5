import Models

extension InvoiceDocument {
  struct PartyDocument: Encodable {
    let id: Nullable<String>
    let name: Nullable<String>
    let email: Nullable<String>
    let taxNumber: Nullable<String>
    /// Omitted in lists of invoices.
    let address: Nullable<AddressDocument>?

    init(_ party: Party, withAddress: Bool = true) {
      id = Nullable(party.id)
      name = Nullable(party.name)
      email = Nullable(party.email)
      taxNumber = Nullable(party.taxNumber)
      address = withAddress ? Nullable(party.address.map(AddressDocument.init)) : nil
    }
  }

  struct AddressDocument: Encodable {
    let lines: [String]
    let city: Nullable<String>
    let postalCode: Nullable<String>
    let region: Nullable<String>
    let country: Nullable<String>

    init(_ address: PostalAddress) {
      lines = address.lines
      city = Nullable(address.city)
      postalCode = Nullable(address.postalCode)
      region = Nullable(address.region)
      country = Nullable(address.country)
    }
  }

  struct AllowanceChargeDocument: Encodable {
    let id: Nullable<String>
    let isCharge: Bool
    let amount: ExactDecimal
    let reason: Nullable<String>

    init(_ part: AllowanceCharge) {
      id = Nullable(part.id)
      isCharge = part.isCharge
      amount = part.amount
      reason = Nullable(part.reason)
    }
  }

  struct LineDocument: Encodable {
    let id: Nullable<String>
    let description: Nullable<String>
    let quantity: Nullable<ExactDecimal>
    let unitAmount: Nullable<ExactDecimal>
    let discountAmount: Nullable<ExactDecimal>
    let taxRate: Nullable<ExactDecimal>
    let taxType: Nullable<String>
    let taxAmount: Nullable<ExactDecimal>
    let lineAmount: Nullable<ExactDecimal>
    let accountCode: Nullable<String>

    init(_ line: InvoiceLine) {
      id = Nullable(line.id)
      description = Nullable(line.description)
      quantity = Nullable(line.quantity)
      unitAmount = Nullable(line.unitAmount)
      discountAmount = Nullable(line.discountAmount)
      taxRate = Nullable(line.taxRate)
      taxType = Nullable(line.taxType)
      taxAmount = Nullable(line.taxAmount)
      lineAmount = Nullable(line.lineAmount)
      accountCode = Nullable(line.accountCode)
    }
  }

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
