package import Foundation
package import JSONReading
package import Models
package import Networking
import Sync

/// Credit notes, from `GET /v1/credit_notes`, each with the invoice that it is set against.
///
/// One that was issued after the payment changes nothing about what is due: its amount goes back to
/// the customer, or to the customer's balance.
package enum StripeCreditNotes: StripeList {
  package static let path = "credit_notes"
  package static let events = ["credit_note.*"]
  /// A credit note is voided, never deleted.
  package static let deletion = "credit_note.deleted"
  package static let expansions = ["tax_amounts.tax_rate"]

  package static func read(
    _ reader: inout JSONReader, in zone: TimeZone
  ) throws -> StripeRow<Invoice> {
    var draft = InvoiceDraft()
    draft.type = .creditNote
    var (currency, status, invoiceID): (String?, String?, String?)
    var (createdAt, effectiveAt): (Timestamp?, Timestamp?)
    var (total, subtotal, reason): (ExactDecimal?, ExactDecimal?, String?)
    var taxes: [StripeTax] = []
    var lines = StripeLines()
    let offset = reader.position
    try reader.readObject { reader, key in
      switch key {
      case "id": draft.id = try reader.readOptionalIdentifier()
      case "number": draft.invoice.number = try reader.readOptionalString()
      case "status": status = try reader.readOptionalString()
      case "currency": currency = try reader.readOptionalString()
      case "created": createdAt = try reader.readOptional { try $0.readStripeInstant() }
      case "effective_at": effectiveAt = try reader.readOptional { try $0.readStripeInstant() }
      case "customer":
        draft.invoice.contact.id = try reader.readOptional { try $0.readStripeReference() }
      case "invoice": invoiceID = try reader.readOptional { try $0.readStripeReference() }
      case "total": total = try reader.readOptionalDecimal()
      case "total_excluding_tax": subtotal = try reader.readOptionalDecimal()
      case "memo": draft.invoice.reference = try reader.readOptionalString()
      case "reason": reason = try reader.readOptionalString()
      case "tax_amounts": try reader.readList { taxes.append(try StripeTax(&$0)) }
      case "lines": lines = try StripeLines(&reader)
      default: try reader.skipValue()
      }
    }
    draft.currency = currency.flatMap(Currency.init(code:))
    if let currency = draft.currency {
      let money = StripeMoney(currency)
      draft.total = try money.amount(total, at: offset)
      draft.invoice.subtotal = try money.amount(subtotal, at: offset)
      draft.invoice.lines = try lines.lines(money, at: offset, in: zone)
      draft.invoice.taxBreakdown = try taxes.map { try $0.subtotal(money, at: offset) }
      draft.invoice.totalTax = ExactDecimal.sum(draft.invoice.taxBreakdown.map(\.taxAmount))
    }
    draft.invoice.linesIncludeTax = taxes.isEmpty ? nil : taxes.contains(where: \.isInclusive)
    draft.invoice.issueDate = (effectiveAt ?? createdAt)?.day(in: zone)
    draft.invoice.reference = draft.invoice.reference ?? reason
    draft.invoice.rawStatus = status ?? ""
    // What it is set against is known, so that nothing of it is open.
    draft.invoice.status = status == "void" ? .void : status == "issued" ? .paid : .unknown
    draft.invoice.amountDue = .zero
    if let invoiceID, let amount = draft.total {
      draft.invoice.allocations = [
        Allocation(invoiceID: invoiceID, date: draft.invoice.issueDate, amount: amount)
      ]
    }
    let keys = InvoiceDraft.Keys(id: "id", currency: "currency", total: "total")
    return .record(try draft.finished(keys, at: offset), isCut: lines.hasMore)
  }

  /// Fetches the lines after the first ten.
  package static func whole(
    _ note: Invoice, _ requests: StripeRequests, at cursor: StripeCursor, in zone: TimeZone,
    ask: @Sendable (Request) async throws -> Response
  ) async throws -> Invoice {
    try await StripeLines.complete(note, in: self, requests, at: cursor, in: zone, ask: ask) {
      _, _ in
    }
  }
}
