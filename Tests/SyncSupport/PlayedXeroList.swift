import Foundation
package import Models
package import Providers

/// A list of Xero's API that a test's server has.
package protocol PlayedXeroList: XeroList where Record: ListedRecord {
  /// The list in the database.
  static var resource: Resource { get }

  /// Returns the members of a row that other lists do not have.
  ///
  /// - Parameter total: the JSON of the amount, which no client may be able to read.
  static func members(of row: ChangingList.Row, total: String) -> String
  /// Returns the record that a sync has to make of a row that is not deleted.
  static func record(of row: ChangingList.Row) throws -> Record
}

extension PlayedXeroList {
  fileprivate static var currency: Currency {
    get throws {
      guard let currency = Currency(code: "EUR") else { throw CocoaError(.formatting) }
      return currency
    }
  }

  fileprivate static func document(
    of row: ChangingList.Row, _ type: InvoiceType
  ) throws -> Invoice {
    Invoice(
      id: row.id, type: type, status: .open, rawStatus: "AUTHORISED", currency: try currency,
      updatedAt: Timestamp(millisecondsSinceEpoch: row.changedAt), total: ExactDecimal(row.total))
  }
}

extension XeroInvoices: PlayedXeroList {
  package static let resource = Resource.invoices

  package static func members(of row: ChangingList.Row, total: String) -> String {
    let lines = row.lines.enumerated().map { position, amount in
      #"{"LineItemID":"\#(row.id)-\#(position)","LineAmount":\#(amount)}"#
    }
    return """
      "Type":"ACCREC","CurrencyCode":"EUR","Total":\(total),\
      "LineItems":[\(lines.joined(separator: ","))]
      """
  }

  package static func record(of row: ChangingList.Row) throws -> Invoice {
    var invoice = try document(of: row, .invoice)
    invoice.lines = row.lines.enumerated().map { position, amount in
      InvoiceLine(id: "\(row.id)-\(position)", lineAmount: ExactDecimal(amount))
    }
    return invoice
  }
}

extension XeroCreditNotes: PlayedXeroList {
  package static let resource = Resource.creditNotes

  package static func members(of row: ChangingList.Row, total: String) -> String {
    let parts = row.lines.enumerated().map { position, amount in
      #"{"Amount":\#(amount),"Invoice":{"InvoiceID":"i\#(position)"}}"#
    }
    return """
      "Type":"ACCRECCREDIT","CurrencyCode":"EUR","Total":\(total),\
      "Allocations":[\(parts.joined(separator: ","))]
      """
  }

  package static func record(of row: ChangingList.Row) throws -> Invoice {
    var note = try document(of: row, .creditNote)
    note.allocations = row.lines.enumerated().map { position, amount in
      Allocation(invoiceID: "i\(position)", amount: ExactDecimal(amount))
    }
    // The list does not state what is due, so the store computes it.
    if !row.lines.isEmpty, let credited = ExactDecimal.sum(note.allocations.map(\.amount)) {
      (note.amountPaid, note.amountCredited) = (.zero, credited)
      note.amountDue = note.total.subtracting(credited)
    }
    return note
  }
}

extension XeroPayments: PlayedXeroList {
  package static let resource = Resource.payments

  package static func members(of row: ChangingList.Row, total: String) -> String {
    """
    "PaymentType":"ACCRECPAYMENT","Amount":\(total),\
    "Invoice":{"InvoiceID":"i\(row.lines.count)","CurrencyCode":"EUR"}
    """
  }

  package static func record(of row: ChangingList.Row) throws -> Payment {
    var payment = Payment(
      id: row.id, type: .receipt, status: .completed, rawStatus: "AUTHORISED",
      currency: try currency, amount: ExactDecimal(row.total))
    payment.updatedAt = Timestamp(millisecondsSinceEpoch: row.changedAt)
    payment.allocations = [
      Allocation(invoiceID: "i\(row.lines.count)", amount: ExactDecimal(row.total))
    ]
    return payment
  }
}
