import Foundation
package import JSONReading
package import Models
import Sync

/// Payments and refunds, from `GET /api.xro/2.0/Payments`; each pays one document.
package enum XeroPayments: XeroList {
  package static let path = "Payments"
  package static let rows: StaticString = "Payments"
  package static let identifier = "PaymentID"
  package static let pageSize = 1_000

  package static func read(_ reader: inout JSONReader) throws -> Payment? {
    var draft = PaymentDraft()
    var document: XeroDocument?
    let offset = reader.position
    try reader.readObject { reader, key in
      switch key {
      case "PaymentID": draft.id = try reader.readOptionalIdentifier()
      case "PaymentType": draft.type = type(try reader.readOptionalString() ?? "")
      case "Status": draft.payment.rawStatus = try reader.readOptionalString() ?? ""
      case "Date": draft.payment.date = try reader.readXeroDay()
      case "Amount": draft.amount = try reader.readOptionalDecimal()
      case "Reference": draft.payment.reference = try reader.readOptionalString()
      case "UpdatedDateUTC": draft.payment.updatedAt = try reader.readXeroInstant()
      case "Account":
        draft.payment.accountCode = try reader.readOptional { reader in
          var code: String?
          try reader.readMember("Code") { code = try $0.readOptionalString() }
          return code
        }
      // Xero has a credit note under `Invoice` too.
      case "Invoice", "CreditNote", "Prepayment", "Overpayment":
        document = try reader.readOptional { try XeroDocument.read(&$0) } ?? document
      default: try reader.skipValue()
      }
    }
    draft.currency = document?.currency
    draft.payment.contactID = document?.contact.id
    draft.payment.contactName = document?.contact.name
    if let document = document, let id = document.id, let amount = draft.amount {
      draft.payment.allocations = [
        Allocation(
          invoiceID: id, invoiceNumber: document.number, date: draft.payment.date, amount: amount)
      ]
    }
    draft.payment.status = draft.payment.rawStatus == "DELETED" ? .deleted : .completed
    return try draft.finished(
      PaymentDraft.Keys(
        id: identifier, type: "PaymentType", currency: ["Invoice", "CurrencyCode"],
        amount: "Amount", updatedAt: "UpdatedDateUTC"), at: offset)
  }

  /// Returns the direction of a payment; `AR` is accounts receivable, `AP` accounts payable.
  private static func type(_ text: String) -> PaymentType? {
    switch text {
    case "ACCRECPAYMENT": .receipt
    case "ACCPAYPAYMENT": .payment
    case "ARCREDITPAYMENT", "AROVERPAYMENTPAYMENT", "ARPREPAYMENTPAYMENT": .refund
    case "APCREDITPAYMENT", "APOVERPAYMENTPAYMENT", "APPREPAYMENTPAYMENT": .supplierRefund
    default: nil
    }
  }
}

/// Money that came or went without an invoice, and the invoices that it was set against since.
package enum XeroMoneyOnAccount {
  /// Prepayments, from `GET /api.xro/2.0/Prepayments`.
  package enum Prepayments: XeroList {
    package static let path = "Prepayments"
    package static let rows: StaticString = "Prepayments"
    package static let identifier = "PrepaymentID"

    package static func read(_ reader: inout JSONReader) throws -> Payment? {
      try XeroMoneyOnAccount.read(&reader, identifier)
    }
  }

  /// Overpayments, from `GET /api.xro/2.0/Overpayments`.
  package enum Overpayments: XeroList {
    package static let path = "Overpayments"
    package static let rows: StaticString = "Overpayments"
    package static let identifier = "OverpaymentID"

    package static func read(_ reader: inout JSONReader) throws -> Payment? {
      try XeroMoneyOnAccount.read(&reader, identifier)
    }
  }

  private static func read(_ reader: inout JSONReader, _ identifier: String) throws -> Payment? {
    var draft = PaymentDraft()
    var day: CalendarDate?
    let offset = reader.position
    try reader.readObject { reader, key in
      switch key {
      case "PrepaymentID", "OverpaymentID":
        draft.id = try reader.readOptionalIdentifier()
      case "Type": draft.type = type(try reader.readOptionalString() ?? "")
      case "Status": draft.payment.rawStatus = try reader.readOptionalString() ?? ""
      case "DateString": draft.payment.date = try reader.readXeroDay()
      case "Date": day = try reader.readXeroDay()
      case "CurrencyCode":
        draft.currency = try reader.readOptionalString().flatMap(Currency.init(code:))
      case "Total": draft.amount = try reader.readOptionalDecimal()
      case "RemainingCredit": draft.payment.unallocatedAmount = try reader.readOptionalDecimal()
      case "Reference": draft.payment.reference = try reader.readOptionalString()
      case "UpdatedDateUTC": draft.payment.updatedAt = try reader.readXeroInstant()
      case "Contact":
        if let contact = try reader.readOptional({ try XeroDocument.readContact(&$0) }) {
          (draft.payment.contactID, draft.payment.contactName) = (contact.id, contact.name)
        }
      case "Allocations":
        try reader.readList {
          if let part = try XeroAllocation.read(&$0) { draft.payment.allocations.append(part) }
        }
      default: try reader.skipValue()
      }
    }
    draft.payment.date = draft.payment.date ?? day
    draft.payment.status = draft.payment.rawStatus == "VOIDED" ? .void : .completed
    return try draft.finished(
      PaymentDraft.Keys(
        id: identifier, type: "Type", currency: ["CurrencyCode"], amount: "Total",
        updatedAt: "UpdatedDateUTC"), at: offset)
  }

  private static func type(_ text: String) -> PaymentType? {
    switch text {
    case "RECEIVE-PREPAYMENT", "ARPREPAYMENT", "RECEIVE-OVERPAYMENT", "AROVERPAYMENT": .receipt
    case "SPEND-PREPAYMENT", "APPREPAYMENT", "SPEND-OVERPAYMENT", "APOVERPAYMENT": .payment
    default: nil
    }
  }
}

/// The part of an invoice that Xero has in another record.
struct XeroDocument {
  var id: String?
  var number: String?
  var currency: Currency?
  var contact = Party()

  static func read(_ reader: inout JSONReader) throws -> XeroDocument {
    var document = XeroDocument()
    try reader.readObject { reader, key in
      switch key {
      case "InvoiceID", "CreditNoteID", "PrepaymentID", "OverpaymentID":
        document.id = try reader.readOptionalIdentifier() ?? document.id
      case "InvoiceNumber", "CreditNoteNumber":
        document.number = try reader.readOptionalString() ?? document.number
      case "CurrencyCode":
        document.currency = try reader.readOptionalString().flatMap(Currency.init(code:))
      case "Contact":
        document.contact = try reader.readOptional { try readContact(&$0) } ?? Party()
      default: try reader.skipValue()
      }
    }
    return document
  }

  /// Reads the identifier and the name of a contact.
  static func readContact(_ reader: inout JSONReader) throws -> Party {
    var contact = Party()
    try reader.readObject { reader, key in
      switch key {
      case "ContactID": contact.id = try reader.readOptionalString()
      case "Name": contact.name = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
    return contact
  }
}

/// The part of a credit note, or of money on account, that is set against an invoice.
enum XeroAllocation {
  /// Reads an allocation; returns `nil` for one that was deleted.
  static func read(_ reader: inout JSONReader) throws -> Allocation? {
    var (id, date, amount): (String?, CalendarDate?, ExactDecimal?)
    var document: XeroDocument?
    var isDeleted: Bool?
    try reader.readObject { reader, key in
      switch key {
      case "AllocationID": id = try reader.readOptionalString()
      case "Amount": amount = try reader.readOptionalDecimal()
      case "Date": date = try reader.readXeroDay()
      case "Invoice": document = try reader.readOptional { try XeroDocument.read(&$0) }
      case "IsDeleted": isDeleted = try reader.readOptionalBool()
      default: try reader.skipValue()
      }
    }
    guard isDeleted != true else { return nil }
    // An allocation without its invoice or its amount would explain a balance by nothing.
    guard let invoice = document?.id, let amount else {
      throw reader.mistake("an allocation without its invoice or its amount")
    }
    return Allocation(
      id: id, invoiceID: invoice, invoiceNumber: document?.number, date: date, amount: amount)
  }
}
