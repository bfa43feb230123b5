import Foundation
import JSONReading
import Models
import Sync

/// The part of an invoice that its order holds: lines, taxes, payments and refunds.
struct SquareOrder: Sendable {
  private(set) var id: String?
  private var reference: String?
  private var totalTax: Money?
  private var serviceCharge: Money?
  private var serviceCharges: [SquareServiceCharge] = []
  private var tenders: [Tender] = []
  private var refunds: [Tender] = []
  private var totalMoney: Money?
  private var tip: Money?
  private var lines: [SquareOrderLine] = []
  private var taxes: [SquareOrderTax] = []

  init(_ reader: inout JSONReader) throws {
    try reader.readObject { reader, key in
      switch key {
      case "id": id = try reader.readOptionalIdentifier()
      case "reference_id": reference = try reader.readOptionalString()
      case "line_items": try reader.readList { lines.append(try SquareOrderLine(&$0)) }
      case "taxes": try reader.readList { taxes.append(try SquareOrderTax(&$0)) }
      case "tenders": try reader.readList { tenders.append(try Tender(&$0)) }
      case "refunds":
        try reader.readList { reader in
          let refund = try Tender(&reader)
          if refund.isMade { refunds.append(refund.negated) }
        }
      case "total_tax_money": totalTax = try reader.readSquareMoney()
      case "service_charges":
        try reader.readList { reader in
          if let charge = try SquareServiceCharge(&reader) { serviceCharges.append(charge) }
        }
      case "total_service_charge_money": serviceCharge = try reader.readSquareMoney()
      case "total_money": totalMoney = try reader.readSquareMoney()
      case "total_tip_money": tip = try reader.readSquareMoney()
      default: try reader.skipValue()
      }
    }
  }

  /// The total without the tip; `nil` if the order does not state it.
  var total: Money? {
    guard let totalMoney else { return nil }
    let amount = totalMoney.amount.subtracting(tip?.amount ?? .zero)
    return amount.map { Money($0, totalMoney.currency) }
  }

  /// The sum of the charges, without those that are inside the lines.
  private var chargeTotal: ExactDecimal? {
    let apportioned = serviceCharges.filter(\.isApportioned).map(\.charge.amount)
    return ExactDecimal.sum(apportioned).flatMap { serviceCharge?.amount.subtracting($0) }
  }

  /// Returns the invoice with the data of the order.
  ///
  /// A total remains the invoice's own, because the order's total may include a tip.
  ///
  /// - Parameter zone: the time zone in which instants become days.
  func completing(_ invoice: Invoice, in zone: TimeZone) -> Invoice {
    var invoice = invoice
    if invoice.lacksTotal, let total {
      (invoice.total, invoice.currency) = (total.amount, total.currency)
      invoice.amountDue = total.amount.subtracting(invoice.amountPaid ?? .zero)
    }
    let byUID = Dictionary(
      taxes.map { ($0.uid ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    // In Square, each tax of an order is either included in the prices or added to them.
    let includesTax = taxes.contains(where: \.isInclusive)
    invoice.linesIncludeTax = includesTax
    invoice.lines = lines.map { $0.line(taxes: byUID, includingTax: includesTax) }
    invoice.taxBreakdown = taxes.map(\.subtotal)
    invoice.totalTax = totalTax?.amount
    invoice.subtotal = totalTax.flatMap { invoice.total.subtracting($0.amount) }
    invoice.chargeTotal = chargeTotal
    // The line amounts already include the discounts of the order.
    invoice.allowancesAndCharges = serviceCharges.filter { !$0.isApportioned }.map(\.charge)
    invoice.payments = (tenders + refunds).map { $0.payment(in: zone) }
    invoice.reference = reference
    return invoice
  }

  /// A payment of an order, or a refund.
  private struct Tender {
    private var payment = InvoicePayment(amount: .zero)
    private var madeAt: Timestamp?
    private var status: String?

    /// True if the money has moved; a payment has no status.
    var isMade: Bool { status == nil || status == "APPROVED" }

    /// The same with the amount below zero.
    var negated: Tender {
      var refund = self
      refund.payment.amount = payment.amount.negated
      return refund
    }

    init(_ reader: inout JSONReader) throws {
      var tenderID: String?
      var amount: Money?
      var tip: Money?
      try reader.readObject { reader, key in
        switch key {
        case "id": tenderID = try reader.readOptionalString()
        case "payment_id": payment.id = try reader.readOptionalString()
        case "created_at": madeAt = try reader.readOptionalTimestamp()
        case "type": payment.method = try reader.readOptionalString()
        case "reason": payment.reference = try reader.readOptionalString()
        case "status": status = try reader.readOptionalString()
        case "amount_money": amount = try reader.readSquareMoney()
        case "tip_money": tip = try reader.readNull() ? nil : reader.readMoney()
        default: try reader.skipValue()
        }
      }
      payment.id = payment.id ?? tenderID
      // The amount includes the tip, which pays for nothing on the invoice.
      guard let amount = amount?.amount.subtracting(tip?.amount ?? .zero) else {
        throw reader.mistake("a payment without an amount")
      }
      payment.amount = amount
    }

    func payment(in zone: TimeZone) -> InvoicePayment {
      var payment = payment
      payment.date = madeAt?.day(in: zone)
      return payment
    }
  }
}

/// A charge on the whole order.
private struct SquareServiceCharge: Sendable {
  private(set) var charge = AllowanceCharge(isCharge: true, amount: .zero)
  /// True if the charge is spread over the lines, whose totals include it.
  private(set) var isApportioned = false

  /// Reads a charge; `nil` if it states no amount.
  init?(_ reader: inout JSONReader) throws {
    var applied: Money?
    try reader.readObject { reader, key in
      switch key {
      case "uid": charge.id = try reader.readOptionalString()
      case "name": charge.reason = try reader.readOptionalString()
      // These amounts add up to the total of all charges, without taxes that are added to them.
      case "applied_money": applied = try reader.readSquareMoney()
      case "treatment_type":
        if try reader.readOptionalString() == "APPORTIONED_TREATMENT" { isApportioned = true }
      case "calculation_phase":
        if try reader.readOptionalString()?.hasPrefix("APPORTIONED") == true {
          isApportioned = true
        }
      default: try reader.skipValue()
      }
    }
    guard let applied else { return nil }
    charge.amount = applied.amount
  }
}

/// A line item of an order; the meaning of its amounts depends on the order's taxes.
private struct SquareOrderLine: Sendable {
  private var line = InvoiceLine()
  private var names: [String] = []
  private var note: String?
  private var modifiers: [(name: String?, price: ExactDecimal)] = []
  private var total: Money?
  private var tax: Money?
  private var taxUIDs: [String] = []

  init(_ reader: inout JSONReader) throws {
    try reader.readObject { reader, key in
      switch key {
      case "uid": line.id = try reader.readOptionalString()
      case "name": names.insert(contentsOf: try Self.name(&reader), at: 0)
      case "variation_name": names.append(contentsOf: try Self.name(&reader))
      case "note": note = try reader.readOptionalString()
      case "quantity": line.quantity = try reader.readOptionalDecimal()
      case "base_price_money": line.unitAmount = try reader.readSquareMoney()?.amount
      case "total_discount_money": line.discountAmount = try reader.readSquareMoney()?.amount
      case "total_service_charge_money":
        let charge = try reader.readSquareMoney()?.amount
        line.chargeAmount = charge?.isZero == true ? nil : charge
      case "catalog_object_id": line.itemCode = try reader.readOptionalString()
      case "modifiers": try reader.readList { modifiers.append(try Self.modifier(&$0)) }
      case "total_tax_money": tax = try reader.readSquareMoney()
      case "total_money": total = try reader.readSquareMoney()
      case "applied_taxes": try reader.readList { taxUIDs += try Self.taxUID(&$0) }
      default: try reader.skipValue()
      }
    }
  }

  /// Returns the line of the invoice.
  ///
  /// The total of an item is its price with tax. If prices exclude tax, so does the line amount.
  func line(taxes: [String: SquareOrderTax], includingTax: Bool) -> InvoiceLine {
    var line = line
    // An item without a name has only a note.
    let text = names.isEmpty ? note : names.joined(separator: ", ")
    let extras = modifiers.compactMap(\.name).joined(separator: ", ")
    line.description = extras.isEmpty ? text : text.map { "\($0) (\(extras))" } ?? extras
    // The price of one is that of the item with its modifiers.
    line.unitAmount = line.unitAmount.flatMap { base in
      ExactDecimal.sum([base] + modifiers.map(\.price))
    }
    line.taxAmount = tax?.amount
    line.lineAmount =
      includingTax
      ? total?.amount : total.flatMap { $0.amount.subtracting(tax?.amount ?? .zero) }
    let applied = taxUIDs.compactMap { taxes[$0] }
    // With several taxes, none of them is the rate of the line.
    if let only = applied.first, applied.count == 1 {
      line.taxRate = only.subtotal.rate
      line.taxType = only.subtotal.name
    }
    return line
  }

  /// Reads a modifier, such as extra cheese, and its price for one of the items.
  private static func modifier(
    _ reader: inout JSONReader
  ) throws -> (name: String?, price: ExactDecimal) {
    var (name, price, quantity): (String?, ExactDecimal?, ExactDecimal?)
    try reader.readObject { reader, key in
      switch key {
      case "name": name = try reader.readOptionalString()
      case "base_price_money": price = try reader.readSquareMoney()?.amount
      case "quantity": quantity = try reader.readOptionalDecimal()
      default: try reader.skipValue()
      }
    }
    return (name, (price ?? .zero).multiplied(by: quantity ?? ExactDecimal(1)) ?? .zero)
  }

  private static func name(_ reader: inout JSONReader) throws -> [String] {
    try reader.readOptionalString().map { [$0] } ?? []
  }

  private static func taxUID(_ reader: inout JSONReader) throws -> [String] {
    var found: String?
    try reader.readObject { reader, key in
      switch key {
      case "tax_uid": found = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
    return found.map { [$0] } ?? []
  }
}

/// A tax of an order.
private struct SquareOrderTax: Sendable {
  private(set) var uid: String?
  private(set) var isInclusive = false
  private(set) var subtotal = TaxSubtotal(taxAmount: .zero)

  init(_ reader: inout JSONReader) throws {
    try reader.readObject { reader, key in
      switch key {
      case "uid": uid = try reader.readOptionalString()
      case "name": subtotal.name = try reader.readOptionalString()
      case "type": isInclusive = try reader.readOptionalString() == "INCLUSIVE"
      case "percentage": subtotal.rate = try reader.readOptionalDecimal()
      case "applied_money":
        subtotal.taxAmount = try reader.readSquareMoney()?.amount ?? .zero
      default: try reader.skipValue()
      }
    }
  }
}

/// Orders by their identifiers, including those that cannot be read.
struct SquareOrders {
  private var orders: [String: SquareOrder] = [:]
  private var failures: [String: RowFailure] = [:]
  /// The failure of an order without an identifier, which may be any of the missing orders.
  private var nameless: RowFailure?

  /// Reads a response to `POST /v2/orders/batch-retrieve`, which omits orders that do not exist.
  ///
  /// - Throws: ``SyncError/unreadable(part:reason:message:)`` if the response as a whole is
  ///   malformed.
  mutating func add(_ body: [UInt8]) throws {
    var found: [RowFailure] = []
    var errors: [SquareErrors.Entry] = []
    try JSONReader.readPage(body) { reader, key in
      switch key {
      case "orders":
        try reader.readRows(identifier: "id", into: &found) { reader in
          let order = try SquareOrder(&reader)
          guard let id = order.id else { throw reader.mistake("it has no id") }
          orders[id] = order
        }
      case "errors": try reader.readEveryElement { errors.append(try SquareErrors.entry(&$0)) }
      default: try reader.skipValue()
      }
    }
    // A response with errors may lack orders, and an invoice without its order would lose its
    // lines.
    guard errors.isEmpty else {
      throw SyncError.unreadable(part: "errors", reason: "the orders contain errors")
    }
    for failure in found {
      if let id = failure.id { failures[id] = failure } else { nameless = failure }
    }
  }

  /// The order with an identifier, or the failure to read it; `nil` if there is none.
  subscript(id: String) -> Entry? {
    guard !id.isEmpty else { return nil }
    return failures[id].map(Entry.unreadable) ?? orders[id].map(Entry.order)
      ?? nameless.map(Entry.unreadable)
  }

  /// An order, or the failure to read it.
  enum Entry {
    case order(SquareOrder)
    case unreadable(RowFailure)
  }
}
