import Foundation
import Models

/// An invoice of Square's, as far as its list tells it; the rest is in its order.
struct SquareInvoice: Sendable {
  let id: String
  private(set) var orderID: String?

  private var version: Int64?
  private var number: String?
  private var status = ""
  private var contact = Party()
  private var requests = SquarePaymentRequests()
  private var scheduledAt: Timestamp?
  private var createdAt: Timestamp?
  private var updatedAt: Timestamp?
  private var timeZone: String?
  private var attachments: [AttachmentReference] = []

  init(_ reader: inout JSONReader) throws {
    let offset = reader.position
    var id: String?
    var status: String?
    try reader.readObject { reader, key in
      switch key {
      case "id": id = try reader.readString()
      case "status": status = try reader.readString()
      case "version": version = Int64(try reader.readInt())
      case "order_id": orderID = try reader.readOptionalString()
      case "invoice_number": number = try reader.readOptionalString()
      case "primary_recipient": contact = try SquareParts.recipient(&reader)
      case "payment_requests": try reader.readList { try requests.read(&$0) }
      case "scheduled_at": scheduledAt = try reader.readOptionalTimestamp()
      case "created_at": createdAt = try reader.readOptionalTimestamp()
      case "updated_at": updatedAt = try reader.readOptionalTimestamp()
      case "timezone": timeZone = try reader.readOptionalString()
      case "attachments":
        try reader.readList { attachments.append(try SquareParts.attachment(&$0)) }
      default: try reader.skipValue()
      }
    }
    self.id = try Self.required(id, "id", offset)
    self.status = try Self.required(status, "status", offset)
  }

  /// The invoice with what its order adds.
  ///
  /// - Throws: `JSONError` where neither says what is to be paid.
  func invoice(_ order: SquareOrder?) throws(JSONError) -> Invoice {
    let total = try Self.required(
      requests.isEmpty ? order?.total : requests.computed.sum, "payment_requests", 0)
    let paid = requests.isEmpty ? nil : requests.completed.sum ?? Money(.zero, total.currency)
    var invoice = Invoice(
      id: id,
      number: number,
      type: .invoice,
      status: Self.status(self.status),
      rawStatus: self.status,
      contact: contact,
      currency: total.currency,
      issueDate: issueDate,
      dueDate: requests.dueDate,
      updatedAt: updatedAt,
      subtotal: order?.totalTax.flatMap { total.amount.subtracting($0.amount) },
      totalTax: order?.totalTax?.amount,
      total: total.amount,
      amountPaid: paid?.amount,
      amountDue: paid.flatMap { amountDue(total.amount, paid: $0.amount) },
      reference: order?.reference,
      lines: order?.lines ?? [])
    invoice.version = version
    invoice.roundingAmount = requests.rounding.sum?.amount
    invoice.linesIncludeTax = order?.pricesIncludeTax
    invoice.chargeTotal = order?.serviceCharge?.amount
    invoice.taxBreakdown = order?.taxBreakdown ?? []
    invoice.payments = order?.payments ?? []
    invoice.attachments = attachments
    return invoice
  }

  /// The day it was sent, or is to be, where the seller is; Square tells it by no field of its own.
  private var issueDate: CalendarDate? {
    guard let instant = scheduledAt ?? createdAt else { return nil }
    let offset = timeZone.flatMap(TimeZone.init(identifier:))?.secondsFromGMT(for: instant.date)
    return instant.adding(seconds: Int64(offset ?? 0)).utcDay
  }

  private func amountDue(_ total: ExactDecimal, paid: ExactDecimal) -> ExactDecimal? {
    switch Self.status(status) {
    case .void, .refunded: .zero
    case _ where status == "PARTIALLY_REFUNDED": .zero
    // Rounding is part of what was paid.
    default:
      total.subtracting(paid).flatMap { $0.adding(requests.rounding.sum?.amount ?? .zero) }
    }
  }

  private static func required<Value>(
    _ value: Value?, _ key: String, _ offset: Int
  ) throws(JSONError) -> Value {
    guard let value else {
      throw JSONError(
        reason: .unexpected("missing, or not one that is known"), offset: offset, path: [key])
    }
    return value
  }

  private static func status(_ text: String) -> InvoiceStatus {
    switch text {
    case "DRAFT": .draft
    case "SCHEDULED": .scheduled
    case "UNPAID", "PAYMENT_PENDING": .open
    case "PARTIALLY_PAID": .partiallyPaid
    // What was given back is a part only.
    case "PAID", "PARTIALLY_REFUNDED": .paid
    case "REFUNDED": .refunded
    // The seller took it back, or Square did for suspicion.
    case "CANCELED", "FAILED": .void
    default: .unknown
    }
  }
}
