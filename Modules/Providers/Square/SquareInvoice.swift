import Foundation
import JSONReading
import Models
import Sync

/// The fields of an invoice in Square's list, collected until they make an invoice.
struct SquareInvoice {
  private var id: String?
  private var version: Int64?
  private var orderID: String?
  private var number: String?
  private var status: String?
  private var contact = Party()
  private var requests = SquarePaymentRequests()
  private var scheduledAt: Timestamp?
  private var createdAt: Timestamp?
  private var updatedAt: Timestamp?
  private var timeZone: String?
  private var nextPayment: Money?
  private var attachments: [AttachmentReference] = []

  /// Reads an invoice and the identifier of its order.
  ///
  /// The invoice lacks its total if Square has computed none yet, as in some drafts; its order then
  /// states it.
  ///
  /// - Parameters:
  ///   - zone: the time zone in which instants become days.
  ///   - isFixed: true if the zone that the invoice states does not count.
  static func read(
    _ reader: inout JSONReader, in zone: TimeZone, isFixed: Bool
  ) throws -> (Invoice, orderID: String?) {
    let offset = reader.position
    var fields = SquareInvoice()
    try fields.read(&reader)
    let own = isFixed ? nil : fields.timeZone.flatMap(TimeZone.init(identifier:))
    return (try fields.invoice(in: own ?? zone, offset: offset), fields.orderID)
  }

  private mutating func read(_ reader: inout JSONReader) throws {
    try reader.readObject { reader, key in
      switch key {
      case "id": id = try reader.readOptionalIdentifier()
      case "status": status = try reader.readOptionalString()
      case "version": version = try reader.readOptionalInt().map(Int64.init)
      case "order_id": orderID = try reader.readOptionalString()
      case "invoice_number": number = try reader.readOptionalString()
      case "primary_recipient":
        contact = try reader.readOptional { try SquareParts.recipient(&$0) } ?? Party()
      case "payment_requests":
        // Without one of them, the total would be too small.
        if try !reader.readNull() { try reader.readArray { try requests.read(&$0) } }
      case "next_payment_amount_money": nextPayment = try reader.readSquareMoney()
      case "scheduled_at": scheduledAt = try reader.readOptionalTimestamp()
      case "created_at": createdAt = try reader.readOptionalTimestamp()
      case "updated_at": updatedAt = try reader.readOptionalTimestamp()
      case "timezone": timeZone = try reader.readOptionalString()
      case "attachments":
        try reader.readList { attachments.append(try SquareParts.attachment(&$0)) }
      default: try reader.skipValue()
      }
    }
  }

  private func invoice(in zone: TimeZone, offset: Int) throws -> Invoice {
    func required<Value>(_ value: Value?, _ key: String) throws -> Value {
      guard let value else {
        throw JSONError(
          reason: .unexpected("missing or unknown"), offset: offset, path: [key])
      }
      return value
    }
    let rawStatus = status ?? ""
    // Every invoice has a payment schedule, even for a single payment; its amounts may be missing.
    let total =
      try requests.isComputed
      ? required(requests.computed.sum, "payment_requests") : Money(.zero, .placeholder)
    // Amounts in several currencies have no sum.
    let paid =
      requests.completed.isEmpty
      ? .zero : try required(requests.completed.sum, "payment_requests").amount
    let rounding = requests.rounding.sum?.amount
    var invoice = Invoice(
      id: try required(id, "id"),
      number: number,
      type: .invoice,
      status: status(rawStatus),
      rawStatus: rawStatus,
      contact: contact,
      currency: total.currency,
      // The day on which it was or will be sent, since Square has no field for it.
      issueDate: (scheduledAt ?? createdAt)?.day(in: zone),
      dueDate: requests.dueDate,
      updatedAt: updatedAt,
      total: total.amount,
      amountPaid: paid,
      // The paid amount includes the rounding.
      amountDue: settledDue(rawStatus)
        ?? total.amount.subtracting(paid).flatMap { $0.adding(rounding ?? .zero) })
    invoice.version = version
    invoice.roundingAmount = rounding
    invoice.attachments = attachments
    return invoice
  }

  private func status(_ text: String) -> InvoiceStatus {
    switch text {
    case "DRAFT": .draft
    case "SCHEDULED": .scheduled
    case "UNPAID", "PAYMENT_PENDING": .open
    case "PARTIALLY_PAID": .partiallyPaid
    case "PAID": .paid
    // A part of what was paid was refunded, and the invoice may have been paid only in part.
    case "PARTIALLY_REFUNDED": nextPayment.map(\.amount.isZero) ?? true ? .paid : .partiallyPaid
    case "REFUNDED": .refunded
    // The seller canceled the invoice, or Square did because it looked suspicious.
    case "CANCELED", "FAILED": .void
    default: .unknown
    }
  }

  /// Returns the amount due of a status in which what was paid does not decide it; `nil` for
  /// others.
  private func settledDue(_ status: String) -> ExactDecimal? {
    switch status {
    case "CANCELED", "FAILED", "REFUNDED": .zero
    case "PARTIALLY_REFUNDED": nextPayment?.amount ?? .zero
    default: nil
    }
  }
}

extension Invoice {
  /// True if Square has not computed the amounts yet; the currency is then a placeholder.
  var lacksTotal: Bool { currency == .placeholder }
}

extension [Money?] {
  /// The sum; `nil` if there are no amounts, if one is unknown, or if their currencies differ.
  fileprivate var sum: Money? {
    guard let first else { return nil }
    return dropFirst().reduce(first) { sum, money in money.flatMap { sum?.adding($0) } }
  }
}
