package import Foundation
package import JSONReading
package import Models
import Sync

/// Invoices and bills, from `GET /api.xro/2.0/Invoices`.
package enum XeroInvoices: XeroList {
  package static let path = "Invoices"
  package static let rows: StaticString = "Invoices"
  package static let identifier = "InvoiceID"
  /// Query items that prevent Xero from rounding unit amounts to two decimals; the endpoint's
  /// documentation describes them.
  package static let query = [URLQueryItem(name: "unitdp", value: "4")]

  package static func updatedAt(_ invoice: Invoice) -> Timestamp? { invoice.updatedAt }

  package static func read(_ reader: inout JSONReader) throws -> Invoice? {
    var fields = Fields()
    let offset = reader.position
    try reader.readObject { reader, key in
      switch key {
      case "InvoiceID": fields.id = try reader.readOptionalIdentifier()
      case "InvoiceNumber": fields.number = try reader.readOptionalString()
      case "Type": fields.type = try reader.readOptionalString()
      case "Status": fields.status = try reader.readOptionalString()
      case "Contact": fields.contact = try reader.readOptional { try readContact(&$0) } ?? Party()
      case "CurrencyCode": fields.currency = try reader.readOptionalString()
      case "DateString": fields.issueDate = try reader.readXeroDay() ?? fields.issueDate
      case "Date":
        let day = try reader.readXeroDay()
        fields.issueDate = fields.issueDate ?? day
      case "DueDateString": fields.dueDate = try reader.readXeroDay() ?? fields.dueDate
      case "DueDate":
        let day = try reader.readXeroDay()
        fields.dueDate = fields.dueDate ?? day
      case "UpdatedDateUTC": fields.updatedAt = try reader.readXeroInstant()
      case "SubTotal": fields.subtotal = try reader.readOptionalDecimal()
      case "TotalTax": fields.totalTax = try reader.readOptionalDecimal()
      case "Total": fields.total = try reader.readDecimalText()
      case "AmountPaid": fields.amountPaid = try reader.readOptionalDecimal()
      case "AmountCredited": fields.amountCredited = try reader.readOptionalDecimal()
      case "AmountDue": fields.amountDue = try reader.readOptionalDecimal()
      case "Reference": fields.reference = try reader.readOptionalString()
      case "LineAmountTypes":
        fields.linesIncludeTax = try reader.readOptionalString().map { $0 == "Inclusive" }
      case "LineItems": try reader.readList { fields.lines.append(try readLine(&$0)) }
      case "Payments": try reader.readList { fields.payments.append(try readPayment(&$0)) }
      case "Attachments":
        try reader.readList { fields.attachments.append(try readAttachment(&$0)) }
      default: try reader.skipValue()
      }
    }
    if let type = fields.type, otherTypes.contains(type) { return nil }
    return try fields.invoice(offset: offset)
  }

  private static func readContact(_ reader: inout JSONReader) throws -> Party {
    var contact = Party()
    try reader.readObject { reader, key in
      switch key {
      case "ContactID": contact.id = try reader.readOptionalString()
      case "Name": contact.name = try reader.readOptionalString()
      case "EmailAddress": contact.email = try reader.readOptionalString()
      case "TaxNumber": contact.taxNumber = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
    return contact
  }

  private static func readLine(_ reader: inout JSONReader) throws -> InvoiceLine {
    var line = InvoiceLine()
    try reader.readObject { reader, key in
      switch key {
      case "LineItemID": line.id = try reader.readOptionalString()
      case "Description": line.description = try reader.readOptionalString()
      case "Quantity": line.quantity = try reader.readOptionalDecimal()
      case "UnitAmount": line.unitAmount = try reader.readOptionalDecimal()
      case "DiscountAmount": line.discountAmount = try reader.readOptionalDecimal()
      case "TaxType": line.taxType = try reader.readOptionalString()
      case "TaxAmount": line.taxAmount = try reader.readOptionalDecimal()
      case "LineAmount": line.lineAmount = try reader.readOptionalDecimal()
      case "AccountCode": line.accountCode = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
    return line
  }

  private static func readPayment(_ reader: inout JSONReader) throws -> Payment {
    var payment = Payment(amount: .zero)
    var amount: ExactDecimal?
    try reader.readObject { reader, key in
      switch key {
      case "PaymentID": payment.id = try reader.readOptionalString()
      case "Date": payment.date = try reader.readXeroDay()
      case "Amount": amount = try reader.readOptionalDecimal()
      case "Reference": payment.reference = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
    // A payment of an unknown amount would count as one of nothing.
    guard let amount else { throw reader.mistake("a payment without an amount") }
    payment.amount = amount
    return payment
  }

  private static func readAttachment(_ reader: inout JSONReader) throws -> AttachmentReference {
    var attachment = AttachmentReference()
    try reader.readObject { reader, key in
      switch key {
      case "AttachmentID": attachment.id = try reader.readOptionalString()
      case "FileName": attachment.fileName = try reader.readOptionalString()
      case "MimeType": attachment.mediaType = try reader.readOptionalString()
      case "Url": attachment.url = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
    return attachment
  }

  /// The fields of an invoice, collected until they make an invoice.
  private struct Fields {
    var id: String?
    var number: String?
    var type: String?
    var status: String?
    var contact = Party()
    var currency: String?
    var issueDate: CalendarDate?
    var dueDate: CalendarDate?
    var updatedAt: Timestamp?
    var subtotal: ExactDecimal?
    var totalTax: ExactDecimal?
    var total: ExactDecimal?
    var amountPaid: ExactDecimal?
    var amountCredited: ExactDecimal?
    var amountDue: ExactDecimal?
    var reference: String?
    var linesIncludeTax: Bool?
    var lines: [InvoiceLine] = []
    var payments: [Payment] = []
    var attachments: [AttachmentReference] = []

    func invoice(offset: Int) throws -> Invoice {
      func required<Value>(_ value: Value?, _ key: String) throws -> Value {
        guard let value else {
          throw JSONError(
            reason: .unexpected("missing or unknown"), offset: offset, path: [key])
        }
        return value
      }
      let rawStatus = status ?? ""
      var invoice = Invoice(
        id: try required(id, "InvoiceID"),
        number: number,
        type: try required(type.flatMap(XeroInvoices.type), "Type"),
        status: XeroInvoices.status(rawStatus, paid: amountPaid, credited: amountCredited),
        rawStatus: rawStatus,
        contact: contact,
        currency: try required(currency.flatMap(Currency.init(code:)), "CurrencyCode"),
        issueDate: issueDate,
        dueDate: dueDate,
        updatedAt: try required(updatedAt, "UpdatedDateUTC"),
        subtotal: subtotal,
        totalTax: totalTax,
        total: try required(total, "Total"),
        amountPaid: amountPaid,
        amountCredited: amountCredited,
        amountDue: amountDue,
        reference: reference,
        lines: lines)
      invoice.linesIncludeTax = linesIncludeTax
      invoice.payments = payments
      invoice.attachments = attachments
      return invoice
    }
  }

  /// The types of money on account, which Xero's schema allows here.
  ///
  /// They are payments, not documents: what they settle is in `AmountCredited` of the invoices.
  private static let otherTypes: Set = [
    "APOVERPAYMENT", "APPREPAYMENT", "AROVERPAYMENT", "ARPREPAYMENT",
  ]

  /// Returns the type; Xero calls sales `ACCREC` (accounts receivable) and bills `ACCPAY`.
  private static func type(_ text: String) -> InvoiceType? {
    switch text {
    case "ACCREC": .invoice
    case "ACCPAY": .bill
    case "ACCRECCREDIT": .creditNote
    case "ACCPAYCREDIT": .billCredit
    default: nil
    }
  }

  private static func status(
    _ text: String, paid: ExactDecimal?, credited: ExactDecimal?
  ) -> InvoiceStatus {
    switch text {
    case "DRAFT": .draft
    case "SUBMITTED": .scheduled
    case "AUTHORISED":
      [paid, credited].contains { $0.map { !$0.isZero } ?? false } ? .partiallyPaid : .open
    case "PAID": .paid
    case "VOIDED": .void
    case "DELETED": .deleted
    default: .unknown
    }
  }
}
