package import JSONReading
package import Models
import Sync

/// Payments of customers and to vendors, each with the documents that it pays.
///
/// A payment may set credits against invoices too, without any money: QuickBooks keeps that as a
/// payment of zero whose lines name both.
package enum QuickBooksPayments: QuickBooksList {
  package static let kinds: [QuickBooksKind] = [.payment, .billPayment]

  package static func read(
    _ reader: inout JSONReader, _ kind: QuickBooksKind, homeCurrency: String?
  ) throws -> Payment {
    var draft = PaymentDraft()
    draft.type = kind == .payment ? .receipt : .payment
    var (currency, note, number): (String?, String?, String?)
    let offset = reader.position
    try reader.readObject { reader, key in
      switch key {
      case "Id": draft.id = try reader.readOptionalIdentifier().map(kind.identifier)
      case "CustomerRef", "VendorRef":
        let contact = try QuickBooksReference(&reader)
        let list: QuickBooksKind = "VendorRef" ~= key ? .vendor : .customer
        draft.payment.contactID = contact?.value.map(list.identifier)
        draft.payment.contactName = contact?.name
      case "TxnDate": draft.payment.date = try reader.readQuickBooksDay()
      case "CurrencyRef": currency = try QuickBooksReference(&reader)?.value
      case "TotalAmt": draft.amount = try reader.readDecimalText()
      case "UnappliedAmt": draft.payment.unallocatedAmount = try reader.readOptionalDecimal()
      case "PaymentMethodRef": draft.payment.method = try QuickBooksReference(&reader)?.name
      case "PayType": draft.payment.method = try reader.readOptionalString()
      case "PaymentRefNum": draft.payment.reference = try reader.readOptionalString()
      case "DocNumber": number = try reader.readOptionalString()
      case "DepositToAccountRef":
        draft.payment.accountCode = try QuickBooksReference(&reader)?.value
      case "PrivateNote": note = try reader.readOptionalString()
      case "MetaData": draft.payment.updatedAt = try reader.readQuickBooksUpdate()
      case "Line": try reader.readList { draft.payment.allocations += try readLine(&$0) }
      default: try reader.skipValue()
      }
    }
    draft.currency = (currency ?? homeCurrency).flatMap(Currency.init(code:))
    draft.payment.reference = draft.payment.reference ?? number
    // QuickBooks has no status: a voided payment has lost its amounts, and its note says so.
    let isVoid = note?.hasPrefix("Voided") == true && draft.amount?.isZero == true
    draft.payment.status = isVoid ? .void : .completed
    draft.payment.rawStatus = isVoid ? "Voided" : ""
    return try draft.finished(
      PaymentDraft.Keys(
        id: "Id", currency: ["CurrencyRef"], amount: "TotalAmt", updatedAt: "MetaData"), at: offset)
  }

  /// Reads what a line pays: one document, whose amount is that of the line.
  private static func readLine(_ reader: inout JSONReader) throws -> [Allocation] {
    var amount: ExactDecimal?
    var paid: [String] = []
    try reader.readObject { reader, key in
      switch key {
      case "Amount": amount = try reader.readOptionalDecimal()
      case "LinkedTxn":
        try reader.readList { reader in
          var (id, type): (String?, String?)
          try reader.readObject { reader, key in
            switch key {
            case "TxnId": id = try reader.readOptionalIdentifier()
            case "TxnType": type = try reader.readOptionalString()
            default: try reader.skipValue()
            }
          }
          guard let id, let type else { return }
          // Journal entries and the like are in none of the lists.
          paid.append(
            QuickBooksKind(rawValue: type)?.identifier(id) ?? "\(type.lowercased())/\(id)")
        }
      default: try reader.skipValue()
      }
    }
    guard let document = paid.first, let amount else { return [] }
    return [Allocation(invoiceID: document, amount: amount)]
  }
}
