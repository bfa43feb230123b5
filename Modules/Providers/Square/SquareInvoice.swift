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
  private var attachments: [AttachmentReference] = []

  /// Reads an invoice and the identifier of its order.
  static func read(_ reader: inout JSONReader) throws -> (Invoice, orderID: String?) {
    let offset = reader.position
    var fields = SquareInvoice()
    try fields.read(&reader)
    return (try fields.invoice(offset: offset), fields.orderID)
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

  private func invoice(offset: Int) throws -> Invoice {
    func required<Value>(_ value: Value?, _ key: String) throws -> Value {
      guard let value else {
        throw JSONError(
          reason: .unexpected("missing or unknown"), offset: offset, path: [key])
      }
      return value
    }
    let rawStatus = status ?? ""
    let status = Self.status(rawStatus)
    // Every invoice has a payment schedule, even for a single payment.
    let total = try required(requests.computed.sum, "payment_requests")
    // Amounts in several currencies have no sum.
    let paid =
      requests.completed.isEmpty
      ? .zero : try required(requests.completed.sum, "payment_requests").amount
    let rounding = requests.rounding.sum?.amount
    var invoice = Invoice(
      id: try required(id, "id"),
      number: number,
      type: .invoice,
      status: status,
      rawStatus: rawStatus,
      contact: contact,
      currency: total.currency,
      issueDate: issueDate,
      dueDate: requests.dueDate,
      updatedAt: updatedAt,
      total: total.amount,
      amountPaid: paid,
      // The paid amount includes the rounding.
      amountDue: Self.isSettled(rawStatus)
        ? .zero : total.amount.subtracting(paid).flatMap { $0.adding(rounding ?? .zero) })
    invoice.version = version
    invoice.roundingAmount = rounding
    invoice.attachments = attachments
    return invoice
  }

  /// The day on which the invoice was or will be sent, in the seller's time zone.
  ///
  /// Square has no field for it.
  private var issueDate: CalendarDate? {
    guard let instant = scheduledAt ?? createdAt else { return nil }
    let offset = timeZone.flatMap(TimeZone.init(identifier:))?.secondsFromGMT(for: instant.date)
    return instant.adding(seconds: Int64(offset ?? 0)).utcDay
  }

  private static func status(_ text: String) -> InvoiceStatus {
    switch text {
    case "DRAFT": .draft
    case "SCHEDULED": .scheduled
    case "UNPAID", "PAYMENT_PENDING": .open
    case "PARTIALLY_PAID": .partiallyPaid
    // Only a part was refunded.
    case "PAID", "PARTIALLY_REFUNDED": .paid
    case "REFUNDED": .refunded
    // The seller canceled the invoice, or Square did because it looked suspicious.
    case "CANCELED", "FAILED": .void
    default: .unknown
    }
  }

  /// Returns true if no payment is due any more, whatever was paid.
  private static func isSettled(_ status: String) -> Bool {
    ["CANCELED", "FAILED", "REFUNDED", "PARTIALLY_REFUNDED"].contains(status)
  }
}

extension [Money?] {
  /// The sum; `nil` if there are no amounts, if one is unknown, or if their currencies differ.
  fileprivate var sum: Money? {
    guard let first else { return nil }
    return dropFirst().reduce(first) { sum, money in money.flatMap { sum?.adding($0) } }
  }
}
