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

  package static func read(_ reader: inout JSONReader) throws -> Invoice? {
    try readDocument(&reader, keys)
  }

  /// Reads an invoice or a credit note, which have nearly the same members.
  fileprivate static func readDocument(
    _ reader: inout JSONReader, _ keys: InvoiceDraft.Keys
  ) throws -> Invoice? {
    var draft = InvoiceDraft()
    var (type, planned): (String, CalendarDate?) = ("", nil)
    let offset = reader.position
    try reader.readObject { reader, key in
      switch key {
      case "InvoiceID", "CreditNoteID": draft.id = try reader.readOptionalIdentifier()
      case "InvoiceNumber", "CreditNoteNumber":
        draft.invoice.number = try reader.readOptionalString()
      case "Type": type = try reader.readOptionalString() ?? ""
      case "Status": draft.invoice.rawStatus = try reader.readOptionalString() ?? ""
      case "Contact":
        draft.invoice.contact = try reader.readOptional { try readContact(&$0) } ?? Party()
      case "CurrencyCode":
        draft.currency = try reader.readOptionalString().flatMap(Currency.init(code:))
      case "DateString":
        draft.invoice.issueDate = try reader.readXeroDay() ?? draft.invoice.issueDate
      case "Date":
        let day = try reader.readXeroDay()
        draft.invoice.issueDate = draft.invoice.issueDate ?? day
      case "DueDateString":
        draft.invoice.dueDate = try reader.readXeroDay() ?? draft.invoice.dueDate
      case "DueDate":
        let day = try reader.readXeroDay()
        draft.invoice.dueDate = draft.invoice.dueDate ?? day
      case "UpdatedDateUTC": draft.invoice.updatedAt = try reader.readXeroInstant()
      case "SubTotal": draft.invoice.subtotal = try reader.readOptionalDecimal()
      case "TotalTax": draft.invoice.totalTax = try reader.readOptionalDecimal()
      case "Total": draft.total = try reader.readDecimalText()
      case "AmountPaid": draft.invoice.amountPaid = try reader.readOptionalDecimal()
      case "AmountCredited": draft.invoice.amountCredited = try reader.readOptionalDecimal()
      case "AmountDue", "RemainingCredit":
        draft.invoice.amountDue = try reader.readOptionalDecimal()
      case "Allocations":
        try reader.readList {
          if let part = try XeroAllocation.read(&$0) { draft.invoice.allocations.append(part) }
        }
      case "Reference": draft.invoice.reference = try reader.readOptionalString()
      case "LineAmountTypes":
        draft.invoice.linesIncludeTax = try reader.readOptionalString().map { $0 == "Inclusive" }
      // For one unit of the base currency, which no invoice names.
      case "CurrencyRate":
        draft.invoice.home.inverseExchangeRate = try reader.readOptionalDecimal()
      case "FullyPaidOnDate": draft.invoice.paidDate = try reader.readXeroDay()
      case "ExpectedPaymentDate": draft.invoice.expectedPaymentDate = try reader.readXeroDay()
      case "PlannedPaymentDate": planned = try reader.readXeroDay()
      case "CISDeduction": draft.invoice.withheldAmount = try reader.readOptionalDecimal()
      case "HasAttachments": draft.invoice.hasAttachments = try reader.readOptionalBool()
      case "LineItems": try reader.readList { draft.invoice.lines.append(try readLine(&$0)) }
      case "Payments": try reader.readList { draft.invoice.payments.append(try readPayment(&$0)) }
      case "Attachments":
        try reader.readList { draft.invoice.attachments.append(try readAttachment(&$0)) }
      default: try reader.skipValue()
      }
    }
    guard !otherTypes.contains(type) else { return nil }
    draft.type = Self.type(type)
    // The one is for sales, and the other for bills.
    draft.invoice.expectedPaymentDate = draft.invoice.expectedPaymentDate ?? planned
    if draft.invoice.lines.contains(where: { reverseCharges.contains($0.taxType ?? "") }) {
      draft.invoice.isReverseCharge = true
    }
    draft.invoice.status = status(
      draft.invoice.rawStatus,
      isPartlySettled: keys.id == XeroCreditNotes.identifier
        ? draft.invoice.amountDue.map { $0 != draft.total } ?? false
        : [draft.invoice.amountPaid, draft.invoice.amountCredited].contains { $0?.isZero == false })
    return try draft.finished(keys, at: offset)
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
      case "DiscountRate": line.discountRate = try reader.readOptionalDecimal()
      case "ItemCode": line.itemCode = try reader.readOptionalString()
      case "Item": line.itemName = try reader.readOptional { try readItemName(&$0) }
      case "Tracking":
        var classes: [(String?, String?)] = []
        try reader.readList { classes.append(try readTracking(&$0)) }
        line.tracking = InvoiceLine.tracking(classes)
      default: try reader.skipValue()
      }
    }
    return line
  }

  private static func readItemName(_ reader: inout JSONReader) throws -> String? {
    var name: String?
    try reader.readMember("Name") { name = try $0.readOptionalString() }
    return name
  }

  private static func readTracking(
    _ reader: inout JSONReader
  ) throws -> (category: String?, option: String?) {
    var (category, option): (String?, String?)
    try reader.readObject { reader, key in
      switch key {
      case "Name": category = try reader.readOptionalString()
      case "Option": option = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
    return (category, option)
  }

  private static func readPayment(_ reader: inout JSONReader) throws -> InvoicePayment {
    var payment = InvoicePayment(amount: .zero)
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
      case "ContentLength": attachment.size = try reader.readOptionalInt().map { Int64($0) }
      default: try reader.skipValue()
      }
    }
    return attachment
  }

  private static let keys = InvoiceDraft.Keys(
    id: "InvoiceID", type: "Type", currency: "CurrencyCode", total: "Total",
    updatedAt: ["UpdatedDateUTC"])

  /// The types of money on account, which Xero's schema allows here.
  ///
  /// They are payments, not documents: what they settle is in `AmountCredited` of the invoices.
  private static let otherTypes: Set = [
    "APOVERPAYMENT", "APPREPAYMENT", "AROVERPAYMENT", "ARPREPAYMENT",
  ]

  /// The codes by which the buyer owes the tax.
  private static let reverseCharges: Set = [
    "REVERSECHARGES", "DRCHARGE", "DRCHARGE5", "DRCHARGE20", "DRCHARGESUPPLY", "DRCHARGESUPPLY5",
    "DRCHARGESUPPLY20",
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
    _ text: String, isPartlySettled: Bool
  ) -> InvoiceStatus {
    switch text {
    case "DRAFT": .draft
    case "SUBMITTED": .scheduled
    case "AUTHORISED": isPartlySettled ? .partiallyPaid : .open
    case "PAID": .paid
    case "VOIDED": .void
    case "DELETED": .deleted
    default: .unknown
    }
  }
}

/// Credit notes, from `GET /api.xro/2.0/CreditNotes`, each with the invoices that it is set
/// against.
package enum XeroCreditNotes: XeroList {
  package static let path = "CreditNotes"
  package static let rows: StaticString = "CreditNotes"
  package static let identifier = "CreditNoteID"
  package static let query = XeroInvoices.query

  package static func read(_ reader: inout JSONReader) throws -> Invoice? {
    try XeroInvoices.readDocument(&reader, keys)
  }

  private static let keys = InvoiceDraft.Keys(
    id: "CreditNoteID", type: "Type", currency: "CurrencyCode", total: "Total",
    updatedAt: ["UpdatedDateUTC"])
}
