import JSONReading
import Models
import Sync

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
