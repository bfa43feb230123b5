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
  private var customFields: [CustomField] = []
  /// The day of the sale or service.
  private var serviceDate: CalendarDate?

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
      case "sale_or_service_date": serviceDate = try reader.readOptionalCalendarDate()
      case "custom_fields":
        try reader.readList { customFields.append(try SquareParts.customField(&$0)) }
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
    invoice.customFields = customFields
    (invoice.periodStart, invoice.periodEnd) = (serviceDate, serviceDate)
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

/// Readers for the parts of a Square invoice.
private enum SquareParts {
  /// Reads the customer's data as of the publication of the invoice.
  static func recipient(_ reader: inout JSONReader) throws -> Party {
    var party = Party()
    var name = PartyName()
    try reader.readObject { reader, key in
      switch key {
      case "customer_id": party.id = try reader.readOptionalString()
      case "company_name": name.company = try reader.readOptionalString()
      case "given_name": name.given = try reader.readOptionalString()
      case "family_name": name.family = try reader.readOptionalString()
      case "email_address": party.email = try reader.readOptionalString()
      case "address": party.address = try reader.readOptional { try $0.readSquareAddress() }
      case "tax_ids": party.taxNumber = try reader.readOptionalText(of: "eu_vat")
      default: try reader.skipValue()
      }
    }
    party.name = name.text
    return party
  }

  static func customField(_ reader: inout JSONReader) throws -> CustomField {
    var field = CustomField()
    try reader.readObject { reader, key in
      switch key {
      case "label": field.name = try reader.readOptionalString()
      case "value": field.value = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
    return field
  }

  static func attachment(_ reader: inout JSONReader) throws -> AttachmentReference {
    var attachment = AttachmentReference()
    try reader.readObject { reader, key in
      switch key {
      case "id": attachment.id = try reader.readOptionalString()
      case "filename": attachment.fileName = try reader.readOptionalString()
      case "mime_type": attachment.mediaType = try reader.readOptionalString()
      case "filesize": attachment.size = try reader.readOptionalInt().map { Int64($0) }
      default: try reader.skipValue()
      }
    }
    return attachment
  }
}

/// The payment schedule of an invoice: a balance, a deposit, installments.
private struct SquarePaymentRequests: Sendable {
  /// The number of payment requests.
  private var count = 0
  /// True if the amount of each request is computed; a draft may lack some.
  var isComputed: Bool { count > 0 && computed.count == count }
  /// The requested amounts, which add up to the total of the invoice.
  var computed: [Money?] { computedAmounts.map { $0.money(in: currency) } }
  /// The paid amounts, including cash rounding.
  var completed: [Money?] { completedAmounts.map { $0.money(in: currency) } }
  /// The amounts of cash rounding.
  var rounding: [Money?] { roundingAmounts.map { $0.money(in: currency) } }
  /// The last due date, by which everything must be paid.
  private(set) var dueDate: CalendarDate?

  private var computedAmounts: [SquareAmount] = []
  private var completedAmounts: [SquareAmount] = []
  private var roundingAmounts: [SquareAmount] = []

  /// The currency of amounts that name none: all amounts of an invoice have the same.
  private var currency: Currency? {
    (computedAmounts + completedAmounts + roundingAmounts).lazy.compactMap(\.currency).first
  }

  /// Reads one more payment request.
  mutating func read(_ reader: inout JSONReader) throws {
    count += 1
    try reader.readObject { reader, key in
      switch key {
      case "due_date":
        dueDate = [dueDate, try reader.readOptionalCalendarDate()].compactMap(\.self).max()
      case "computed_amount_money": computedAmounts += try Self.amount(&reader)
      case "total_completed_amount_money": completedAmounts += try Self.amount(&reader)
      case "rounding_adjustment_included_money": roundingAmounts += try Self.amount(&reader)
      default: try reader.skipValue()
      }
    }
  }

  private static func amount(_ reader: inout JSONReader) throws -> [SquareAmount] {
    try SquareAmount(&reader).map { [$0] } ?? []
  }
}

extension JSONReader {
  /// Reads an amount of money, which a record can lack.
  ///
  /// By the schema, an amount may lack its currency; such an amount counts as absent.
  mutating func readSquareMoney() throws -> Money? { try readOptional { try $0.readMoney() } }

  /// Reads an amount of money that the record cannot do without.
  mutating func readMoney() throws -> Money {
    let offset = position
    guard let money = try SquareAmount(&self)?.money(in: nil) else {
      throw JSONError(reason: .unexpected(SquareAmount.expected), offset: offset)
    }
    return money
  }
}

/// An amount of money as Square writes it, which may lack its currency.
///
/// The amount is a whole number of the currency's smallest unit. It has 64 bits, so that sums
/// always fit.
private struct SquareAmount: Sendable {
  fileprivate static let expected = "expected a whole number of minor units and a currency"

  let currency: Currency?
  private let units: ExactDecimal

  /// Reads an amount; returns `nil` if there is none.
  init?(_ reader: inout JSONReader) throws {
    if try reader.readNull() { return nil }
    let offset = reader.position
    var units: ExactDecimal?
    var currency: Currency?
    try reader.readObject { reader, key in
      switch key {
      case "amount": units = try reader.readNull() ? nil : reader.readDecimalText()
      case "currency": currency = try reader.readOptionalString().flatMap(Currency.init(code:))
      default: try reader.skipValue()
      }
    }
    guard let units else { return nil }
    guard units.scale == 0, Int64(exactly: units.coefficient) != nil else {
      throw JSONError(reason: .unexpected(Self.expected), offset: offset)
    }
    (self.units, self.currency) = (units, currency)
  }

  /// Returns the amount in its own currency, or else in the given one; `nil` without any.
  func money(in other: Currency?) -> Money? {
    (currency ?? other).flatMap { Money(minorUnits: units.coefficient, $0) }
  }
}

extension JSONReader {
  /// Reads a postal address.
  mutating func readSquareAddress() throws -> PostalAddress? {
    var fields = PostalAddressReader()
    try readObject { reader, key in
      switch key {
      case "address_line_1": try fields.read(.line(0), from: &reader)
      case "address_line_2": try fields.read(.line(1), from: &reader)
      case "address_line_3": try fields.read(.line(2), from: &reader)
      case "locality": try fields.read(.city, from: &reader)
      case "postal_code": try fields.read(.postalCode, from: &reader)
      case "administrative_district_level_1": try fields.read(.region, from: &reader)
      case "country": try fields.read(.country, from: &reader)
      default: try reader.skipValue()
      }
    }
    return fields.address
  }
}
