import JSONReading
import Models
import Sync

/// Readers for the parts of a Moneybird sales invoice.
enum MoneybirdParts {
  /// Reads a contact, which is a company, a person, or a person at a company.
  static func contact(_ reader: inout JSONReader) throws -> Party {
    var contact = Party()
    var company: String?
    var names: [String?] = [nil, nil]
    var invoicesTo: String?
    var address = PostalAddressReader()
    try reader.readObject { reader, key in
      switch key {
      case "id": contact.id = try reader.readOptionalIdentifier()
      case "company_name": company = try reader.readOptionalString()
      case "firstname": names[0] = try reader.readOptionalString()
      case "lastname": names[1] = try reader.readOptionalString()
      case "email": contact.email = try reader.readOptionalString()
      case "send_invoices_to_email": invoicesTo = try reader.readOptionalString()
      case "tax_number": contact.taxNumber = try reader.readOptionalString()
      case "address1": try address.read(.line(0), from: &reader)
      case "address2": try address.read(.line(1), from: &reader)
      case "zipcode": try address.read(.postalCode, from: &reader)
      case "city": try address.read(.city, from: &reader)
      case "country": try address.read(.country, from: &reader)
      default: try reader.skipValue()
      }
    }
    let person = names.compactMap(\.self).joined(separator: " ")
    contact.name = company ?? (person.isEmpty ? nil : person)
    contact.email = contact.email ?? invoicesTo
    contact.address = address.address
    return contact
  }

  static func line(_ reader: inout JSONReader) throws -> InvoiceLine {
    var line = InvoiceLine()
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
      default: try reader.skipValue()
      }
    }
    return line
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

  static func payment(_ reader: inout JSONReader) throws -> (Payment, isCredit: Bool) {
    var payment = Payment(amount: .zero)
    var amount: ExactDecimal?
    var isCredit = false
    try reader.readObject { reader, key in
      switch key {
      case "id": payment.id = try reader.readOptionalIdentifier()
      case "payment_date": payment.date = try reader.readOptionalCalendarDate()
      case "price": amount = try reader.readOptionalDecimal()
      case "transaction_identifier": payment.reference = try reader.readOptionalString()
      case "credit_invoice_id": isCredit = try reader.readOptionalIdentifier() != nil
      default: try reader.skipValue()
      }
    }
    guard let amount else { throw reader.mistake("a payment without an amount") }
    payment.amount = amount
    return (payment, isCredit)
  }

  static func attachment(_ reader: inout JSONReader) throws -> AttachmentReference {
    var attachment = AttachmentReference()
    try reader.readObject { reader, key in
      switch key {
      case "id": attachment.id = try reader.readOptionalIdentifier()
      case "filename": attachment.fileName = try reader.readOptionalString()
      case "content_type": attachment.mediaType = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
    return attachment
  }
}
