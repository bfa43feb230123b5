package import Foundation
package import JSONReading
package import Models
package import Networking
import Sync

/// Invoices, from `GET /v1/invoices`.
package enum StripeInvoices: StripeList {
  package static let path = "invoices"
  package static let events = ["invoice.*"]
  package static let deletion = "invoice.deleted"
  package static let expansions = ["total_tax_amounts.tax_rate"]
  /// Charges are objects of their own, with a permission of their own.
  package static let optionalExpansions = ["charge"]

  package static func read(
    _ reader: inout JSONReader, in zone: TimeZone
  ) throws -> StripeRow<Invoice> {
    let invoice = try StripeInvoice(&reader)
    guard !invoice.isDeleted else { return .deleted(id: try invoice.identifier()) }
    return .record(try invoice.invoice(in: zone), isCut: invoice.isCut)
  }

  /// Fetches the lines after the first ten.
  package static func whole(
    _ invoice: Invoice, _ requests: StripeRequests, at cursor: StripeCursor, in zone: TimeZone,
    ask: @Sendable (Request) async throws -> Response
  ) async throws -> Invoice {
    try await StripeLines.complete(invoice, in: self, requests, at: cursor, in: zone, ask: ask) {
      $1.extendPeriod(of: &$0, in: zone)
    }
  }
}

/// An invoice of Stripe in the format of the requested API version.
private struct StripeInvoice {
  private var id: String?
  private(set) var isDeleted = false
  private var number: String?
  private var status: String?
  private var contact = Party()
  private var currency: String?
  private var effectiveAt: Timestamp?
  private var transitions = Transitions()
  private var dueDate: Timestamp?
  private var subtotal: ExactDecimal?
  private var tax: ExactDecimal?
  private var total: ExactDecimal?
  private var paid: ExactDecimal?
  /// The amount of the credit notes that were issued before payment, and after it.
  private var creditNotes: (before: ExactDecimal?, after: ExactDecimal?)
  /// The charge, and the intent of the payment.
  private var payment: (charge: InvoicePayment?, intent: String?)
  private var startingBalance: ExactDecimal?
  private var endingBalance: ExactDecimal?
  private var due: ExactDecimal?
  private var allowances = StripeAllowances()
  private var ownParty = Party()
  private var taxes: [StripeTax] = []
  private var lines = StripeLines()
  private var taxExempt: String?
  private var customFields: [CustomField] = []
  private let offset: Int

  /// True if the invoice has more lines than the object holds.
  var isCut: Bool { lines.hasMore }

  init(_ reader: inout JSONReader) throws {
    offset = reader.position
    try reader.readObject { reader, key in
      switch key {
      case "id": id = try reader.readOptionalIdentifier()
      case "deleted": isDeleted = try reader.readOptionalBool() ?? false
      case "number": number = try reader.readOptionalString()
      case "status": status = try reader.readOptionalString()
      case "customer": contact.id = try reader.readOptional { try $0.readStripeReference() }
      case "customer_name": contact.name = try reader.readOptionalString()
      case "customer_email": contact.email = try reader.readOptionalString()
      case "customer_address":
        contact.address = try reader.readOptional { try $0.readStripeAddress() }
      case "account_name": ownParty.name = try reader.readOptionalString()
      case "account_country":
        ownParty.address = try reader.readOptionalString().map { PostalAddress(country: $0) }
      case "customer_tax_ids":
        try reader.readList { reader in
          let number = try reader.readOptionalText(of: "value")
          contact.taxNumber = contact.taxNumber ?? number
        }
      case "currency": currency = try reader.readOptionalString()
      case "effective_at": effectiveAt = try reader.readOptional { try $0.readStripeInstant() }
      case "status_transitions":
        transitions = try reader.readOptional { try Transitions(&$0) } ?? Transitions()
      case "due_date": dueDate = try reader.readOptional { try $0.readStripeInstant() }
      case "total_excluding_tax": subtotal = try reader.readOptionalDecimal()
      case "tax": tax = try reader.readOptionalDecimal()
      case "total": total = try reader.readOptionalDecimal()
      case "amount_paid": paid = try reader.readOptionalDecimal()
      case "amount_remaining": due = try reader.readOptionalDecimal()
      case "pre_payment_credit_notes_amount":
        creditNotes.before = try reader.readOptionalDecimal()
      case "post_payment_credit_notes_amount":
        creditNotes.after = try reader.readOptionalDecimal()
      case "charge": payment.charge = try reader.readOptional { try Self.readCharge(&$0) }
      case "payment_intent":
        payment.intent = try reader.readOptional { try $0.readStripeReference() }
      case "starting_balance": startingBalance = try reader.readOptionalDecimal()
      case "ending_balance": endingBalance = try reader.readOptionalDecimal()
      case "total_discount_amounts":
        try reader.readList { try allowances.readDiscount(&$0) }
      case "shipping_cost": try reader.readOptional { try allowances.readShipping(&$0) }
      case "total_tax_amounts": try reader.readList { taxes.append(try StripeTax(&$0)) }
      case "customer_tax_exempt": taxExempt = try reader.readOptionalString()
      case "custom_fields":
        try reader.readList { customFields.append(try Self.readCustomField(&$0)) }
      case "lines": lines = try StripeLines(&reader)
      default: try reader.skipValue()
      }
    }
  }

  /// Returns the identifier.
  ///
  /// - Throws: `JSONError` if there is none.
  func identifier() throws -> String { try required(id, "id") }

  /// Returns the invoice with the lines that the object holds.
  ///
  /// - Parameter zone: the time zone in which instants become days.
  func invoice(in zone: TimeZone) throws -> Invoice {
    let currency = try required(currency.flatMap(Currency.init(code:)), "currency")
    let money = StripeMoney(currency)
    func amount(_ units: ExactDecimal?) throws -> ExactDecimal? {
      try money.amount(units, at: offset)
    }
    var invoice = Invoice(
      id: try identifier(),
      number: number,
      type: .invoice,
      status: modelStatus,
      rawStatus: status ?? "",
      contact: contact,
      currency: currency,
      // A draft has no issue date.
      issueDate: (effectiveAt ?? transitions.finalizedAt)?.day(in: zone),
      dueDate: dueDate?.day(in: zone),
      subtotal: try amount(subtotal),
      totalTax: try amount(tax),
      total: try required(amount(total), "total"),
      amountPaid: try amount(paid),
      amountCredited: try amount(credited),
      amountDue: try amount(due),
      lines: try lines.lines(money, at: offset, in: zone))
    // The period of the invoice itself is the one in which items were added to it.
    lines.extendPeriod(of: &invoice, in: zone)
    // Stripe states when everything was paid, and not when a part was.
    if let amount = invoice.amountPaid, !amount.isZero {
      var part = payment.charge ?? InvoicePayment(amount: amount)
      part.id = part.id ?? payment.intent
      (part.date, part.amount) = (transitions.paidAt?.day(in: zone), amount)
      invoice.payments = [part]
    }
    // The balance is the only credit without a credit note.
    if let settled = try amount(settledByBalance), let customer = contact.id {
      invoice.allocations = [
        Allocation(
          invoiceID: customer, invoiceNumber: "customer balance", date: invoice.issueDate,
          amount: settled)
      ]
    }
    invoice.ownParty = ownParty == Party() ? nil : ownParty
    invoice.paidDate = transitions.paidAt?.day(in: zone)
    invoice.isReverseCharge = taxExempt.map { $0 == "reverse" }
    invoice.taxExemption = taxExempt == "none" ? nil : taxExempt
    invoice.customFields = customFields
    try allowances.add(to: &invoice, money, at: offset)
    invoice.linesIncludeTax = taxes.isEmpty ? nil : taxes.contains(where: \.isInclusive)
    invoice.taxBreakdown = try taxes.map { try $0.subtotal(money, at: offset) }
    return invoice
  }

  /// The amount of all credit notes, plus the amount that the customer's balance settled.
  ///
  /// The balance is negative if the customer has credit, and a draft has not used it yet.
  private var credited: ExactDecimal? {
    var parts = [creditNotes.before, creditNotes.after].compactMap(\.self)
    if let settledByBalance { parts.append(settledByBalance) }
    return parts.isEmpty ? nil : .sum(parts)
  }

  /// The amount that the customer's balance settled; `nil` if it is zero.
  private var settledByBalance: ExactDecimal? {
    guard let startingBalance, let endingBalance,
      let settled = endingBalance.subtracting(startingBalance), !settled.isZero
    else { return nil }
    return settled
  }

  /// True if credit notes have returned all that was paid.
  private var isReturned: Bool {
    guard let paid, let returned = creditNotes.after, !returned.isZero else { return false }
    return returned >= paid
  }

  private var modelStatus: InvoiceStatus {
    switch status {
    case "draft": .draft
    case "open": paid.map(\.isZero) ?? true ? .open : .partiallyPaid
    case "paid": isReturned ? .refunded : .paid
    case "uncollectible": .writtenOff
    case "void": .void
    default: .unknown
    }
  }

  private func required<Value>(_ value: Value?, _ key: String) throws -> Value {
    guard let value else {
      throw JSONError(
        reason: .unexpected("missing or unknown"), offset: offset, path: [key])
    }
    return value
  }

  private static func readCustomField(_ reader: inout JSONReader) throws -> CustomField {
    var field = CustomField()
    try reader.readObject { reader, key in
      switch key {
      case "name": field.name = try reader.readOptionalString()
      case "value": field.value = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
    return field
  }

  /// Reads the latest charge, which is only its identifier if the key may not read charges.
  ///
  /// The means and the receipt of one that failed are not those of the payment.
  private static func readCharge(_ reader: inout JSONReader) throws -> InvoicePayment? {
    var charge = InvoicePayment(amount: .zero)
    guard !reader.isAtString else {
      charge.id = try reader.readStripeReference()
      return charge
    }
    var isPaid: Bool?
    try reader.readObject { reader, key in
      switch key {
      case "id": charge.id = try reader.readOptionalIdentifier()
      case "paid": isPaid = try reader.readOptionalBool()
      case "receipt_number": charge.reference = try reader.readOptionalString()
      case "payment_method_details": charge.method = try reader.readOptionalText(of: "type")
      default: try reader.skipValue()
      }
    }
    if isPaid != true { (charge.method, charge.reference) = (nil, nil) }
    return charge
  }

  /// The instants at which the status changed.
  private struct Transitions {
    private(set) var finalizedAt: Timestamp?
    private(set) var paidAt: Timestamp?

    init() {}

    init(_ reader: inout JSONReader) throws {
      try reader.readObject { reader, key in
        switch key {
        case "finalized_at": finalizedAt = try reader.readOptional { try $0.readStripeInstant() }
        case "paid_at": paidAt = try reader.readOptional { try $0.readStripeInstant() }
        default: try reader.skipValue()
        }
      }
    }
  }
}

/// The conversion of amounts in the smallest unit that Stripe uses for a currency.
struct StripeMoney {
  /// Number of decimals of that unit.
  private let digits: Int

  /// Creates the conversion for a currency.
  ///
  /// Stripe's list differs from ISO 4217: `ISK` and `UGX` are counted in hundredths that are always
  /// zero, and `MGA` in whole units.
  ///
  /// https://docs.stripe.com/currencies#minor-units
  init(_ currency: Currency) {
    digits =
      switch currency.code {
      case "BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "VND", "VUV",
        "XAF", "XOF", "XPF":
        0
      case "BHD", "JOD", "KWD", "OMR", "TND": 3
      default: 2
      }
  }

  /// Returns the amount; a price may have a fraction of the smallest unit.
  ///
  /// - Throws: `JSONError` if it has too many digits.
  func amount(_ units: ExactDecimal, at offset: Int) throws -> ExactDecimal {
    guard let amount = ExactDecimal(coefficient: units.coefficient, scale: units.scale + digits)
    else { throw JSONError(reason: .unexpected("too many digits"), offset: offset) }
    return amount
  }

  func amount(_ units: ExactDecimal?, at offset: Int) throws -> ExactDecimal? {
    try units.map { try amount($0, at: offset) }
  }
}

extension JSONReader {
  /// Reads a postal address.
  mutating func readStripeAddress() throws -> PostalAddress? {
    var fields = PostalAddressReader()
    try readObject { reader, key in
      switch key {
      case "line1": try fields.read(.line(0), from: &reader)
      case "line2": try fields.read(.line(1), from: &reader)
      case "city": try fields.read(.city, from: &reader)
      case "postal_code": try fields.read(.postalCode, from: &reader)
      case "state": try fields.read(.region, from: &reader)
      case "country": try fields.read(.country, from: &reader)
      default: try reader.skipValue()
      }
    }
    return fields.address
  }
}
