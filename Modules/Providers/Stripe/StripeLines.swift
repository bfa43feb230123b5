import Foundation
import JSONReading
import Models
import Networking
import Sync

/// The lines of an invoice, or a page of them: `{"object":"list","data":[…],"has_more":false}`.
struct StripeLines {
  /// A line with amounts in minor units.
  private struct Line {
    var line = InvoiceLine()
    var amount: ExactDecimal?
    var unitAmount: ExactDecimal?
    var tax: ExactDecimal?
    var period: (start: Timestamp?, end: Timestamp?)
    /// True for a part of a period, whose price is that of the whole.
    var isProrated = false
  }

  private var lines: [Line] = []
  /// True if the invoice has more lines.
  private(set) var hasMore = false

  /// Creates an empty list of lines.
  init() {}

  /// Reads lines; a value of another type than theirs counts as none.
  init(_ reader: inout JSONReader) throws {
    guard reader.isAtObject else {
      try reader.skipValue()
      return
    }
    try reader.readObject { reader, key in try read(&reader, "\(key)") }
  }

  /// Reads a page of lines.
  init(page body: [UInt8]) throws {
    var isList = false
    try JSONReader.readPage(body) { reader, key in
      isList = isList || key == "data"
      try read(&reader, "\(key)")
    }
    // A missing list is not an empty list.
    guard isList else { throw SyncError.unreadable(part: "data", reason: "missing") }
  }

  /// Returns the lines with amounts in the currency.
  ///
  /// - Parameter zone: the time zone in which instants become days.
  func lines(
    _ money: StripeMoney, at offset: Int, in zone: TimeZone
  ) throws -> [InvoiceLine] {
    try lines.map { raw in
      var line = raw.line
      if raw.period.start != raw.period.end {
        line.periodStart = raw.period.start?.day(in: zone)
        line.periodEnd = raw.period.end?.day(in: zone)
      }
      line.lineAmount = try money.amount(raw.amount, at: offset)
      line.unitAmount = try money.amount(raw.isProrated ? nil : raw.unitAmount, at: offset)
      line.taxAmount = try money.amount(raw.tax, at: offset)
      return line
    }
  }

  /// Fetches the lines of a document after those that it holds.
  ///
  /// - Parameter add: adds to the document what else a page of lines says.
  static func complete(
    _ document: Invoice, in list: (some StripeList).Type, _ requests: StripeRequests,
    at cursor: StripeCursor, in zone: TimeZone,
    ask: @Sendable (Request) async throws -> Response,
    add: (inout Invoice, StripeLines) -> Void
  ) async throws -> Invoice {
    var document = document
    let money = StripeMoney(document.currency)
    while true {
      guard let last = document.lines.last?.id else {
        throw SyncError.unreadable(part: "lines", reason: "the last line has no id")
      }
      let request = try requests.lines(of: document.id, in: list, after: last, cursor)
      let more = try StripeLines(page: try await ask(request).body)
      let lines = try more.lines(money, at: 0, in: zone)
      document.lines += lines
      add(&document, more)
      guard more.hasMore, !lines.isEmpty else { return document }
      guard lines.last?.id != last else {
        throw SyncError.unreadable(part: "lines", reason: "a page repeats the previous one")
      }
    }
  }

  /// Extends the invoiced period of an invoice by those of the lines.
  ///
  /// Stripe prints the period of a line only if its two ends differ; for other lines they are the
  /// time at which the item was added.
  func extendPeriod(of invoice: inout Invoice, in zone: TimeZone) {
    let periods = lines.lazy.map(\.period).filter { $0.start != $0.end }
    let starts = periods.compactMap(\.start).compactMap { $0.day(in: zone) }
    let ends = periods.compactMap(\.end).compactMap { $0.day(in: zone) }
    invoice.periodStart = ([invoice.periodStart].compactMap(\.self) + starts).min()
    invoice.periodEnd = ([invoice.periodEnd].compactMap(\.self) + ends).max()
  }

  private mutating func read(_ reader: inout JSONReader, _ key: String) throws {
    switch key {
    case "data":
      // A list that cannot be read is not an empty one, and the last line leads to the next page.
      if try !reader.readNull() { try reader.readArray { lines.append(try Self.readLine(&$0)) } }
    case "has_more": hasMore = try !reader.readNull() && reader.readBool()
    default: try reader.skipValue()
    }
  }

  private static func readLine(_ reader: inout JSONReader) throws -> Line {
    var line = Line()
    var taxes: [ExactDecimal] = []
    try reader.readObject { reader, key in
      switch key {
      case "id": line.line.id = try reader.readOptionalIdentifier()
      case "description": line.line.description = try reader.readOptionalString()
      case "quantity": line.line.quantity = try reader.readOptionalDecimal()
      case "amount": line.amount = try reader.readOptionalDecimal()
      case "proration": line.isProrated = try reader.readOptionalBool() ?? false
      case "price":
        line.unitAmount = try reader.readOptional { try readPrice(&$0, into: &line.line) }
      // Of a credit note.
      case "unit_amount_decimal": line.unitAmount = try reader.readOptionalDecimal()
      case "period": line.period = try reader.readOptional { try readPeriod(&$0) } ?? (nil, nil)
      case "tax_amounts":
        try reader.readList { taxes.append(try readTax(&$0)) }
      default: try reader.skipValue()
      }
    }
    line.tax = taxes.isEmpty ? nil : ExactDecimal.sum(taxes)
    return line
  }

  private static func readPeriod(
    _ reader: inout JSONReader
  ) throws -> (start: Timestamp?, end: Timestamp?)? {
    var period: (start: Timestamp?, end: Timestamp?)
    try reader.readObject { reader, key in
      switch key {
      case "start": period.start = try reader.readOptional { try $0.readStripeInstant() }
      case "end": period.end = try reader.readOptional { try $0.readStripeInstant() }
      default: try reader.skipValue()
      }
    }
    return period
  }

  /// Reads the unit price.
  ///
  /// Stripe writes it as a text, which can have fractions of the minor unit, and as a number if it
  /// has none.
  private static func readPrice(
    _ reader: inout JSONReader, into line: inout InvoiceLine
  ) throws -> ExactDecimal? {
    var (whole, exact): (ExactDecimal?, ExactDecimal?)
    var isOfSeveral = false
    try reader.readObject { reader, key in
      switch key {
      case "unit_amount": whole = try reader.readOptionalDecimal()
      case "unit_amount_decimal":
        exact = try reader.readOptionalDecimal()
      case "transform_quantity":
        isOfSeveral = try !reader.readNull()
        if isOfSeveral { try reader.skipValue() }
      case "product": line.itemCode = try reader.readOptional { try $0.readStripeReference() }
      case "nickname": line.itemName = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
    // The price of a package is not that of one.
    return isOfSeveral ? nil : exact ?? whole
  }

  private static func readTax(_ reader: inout JSONReader) throws -> ExactDecimal {
    var amount: ExactDecimal?
    try reader.readObject { reader, key in
      switch key {
      case "amount": amount = try reader.readOptionalDecimal()
      default: try reader.skipValue()
      }
    }
    guard let amount else { throw reader.mistake("a tax without an amount") }
    return amount
  }
}

/// One element of `total_tax_amounts`, with its rate expanded.
struct StripeTax {
  private(set) var isInclusive = false
  private var tax = TaxSubtotal(taxAmount: .zero)

  init(_ reader: inout JSONReader) throws {
    var amount: ExactDecimal?
    try reader.readObject { reader, key in
      switch key {
      case "amount": amount = try reader.readOptionalDecimal()
      case "taxable_amount": tax.taxableAmount = try reader.readOptionalDecimal()
      case "inclusive": isInclusive = try reader.readOptionalBool() ?? false
      case "tax_rate": try reader.readOptional { try readRate(&$0) }
      case "taxability_reason": tax.exemptionReason = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
    guard let amount else { throw reader.mistake("a tax without an amount") }
    tax.taxAmount = amount
  }

  func subtotal(_ money: StripeMoney, at offset: Int) throws -> TaxSubtotal {
    var tax = tax
    tax.taxAmount = try money.amount(tax.taxAmount, at: offset)
    tax.taxableAmount = try money.amount(tax.taxableAmount, at: offset)
    return tax
  }

  private mutating func readRate(_ reader: inout JSONReader) throws {
    if reader.isAtString {
      tax.name = try reader.readOptionalString()
      return
    }
    try reader.readObject { reader, key in
      switch key {
      case "display_name": tax.name = try reader.readOptionalString()
      case "percentage": tax.rate = try reader.readOptionalDecimal()
      default: try reader.skipValue()
      }
    }
  }
}

/// The discounts on a whole invoice, and its shipping cost.
struct StripeAllowances {
  /// The discounts, with amounts in minor units.
  private var discounts: [AllowanceCharge] = []
  /// The shipping cost without tax, in minor units.
  private var shipping: ExactDecimal?

  /// Reads one element of `total_discount_amounts`.
  mutating func readDiscount(_ reader: inout JSONReader) throws {
    var discount = AllowanceCharge(isCharge: false, amount: .zero)
    var amount: ExactDecimal?
    try reader.readObject { reader, key in
      switch key {
      case "amount": amount = try reader.readOptionalDecimal()
      case "discount": discount.id = try reader.readOptional { try $0.readStripeReference() }
      default: try reader.skipValue()
      }
    }
    guard let amount else { throw reader.mistake("a discount without an amount") }
    discount.amount = amount
    discounts.append(discount)
  }

  /// Reads `shipping_cost`.
  mutating func readShipping(_ reader: inout JSONReader) throws {
    try reader.readObject { reader, key in
      switch key {
      case "amount_subtotal": shipping = try reader.readOptionalDecimal()
      default: try reader.skipValue()
      }
    }
  }

  /// Adds the discounts and the shipping cost to the invoice, with their totals.
  func add(to invoice: inout Invoice, _ money: StripeMoney, at offset: Int) throws {
    if !discounts.isEmpty {
      invoice.allowanceTotal = try money.amount(
        ExactDecimal.sum(discounts.map(\.amount)), at: offset)
    }
    invoice.chargeTotal = try money.amount(shipping, at: offset)
    let charge = shipping.map { [AllowanceCharge(isCharge: true, amount: $0)] } ?? []
    invoice.allowancesAndCharges = try (discounts + charge).map { part in
      var part = part
      part.amount = try money.amount(part.amount, at: offset)
      return part
    }
  }
}
