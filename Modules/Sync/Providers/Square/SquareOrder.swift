import Models

/// What an order adds to the invoice that was made for it: lines, taxes and payments.
struct SquareOrder: Sendable {
  private(set) var id: String?
  private(set) var reference: String?
  private(set) var total: Money?
  private(set) var totalTax: Money?
  private(set) var serviceCharge: Money?
  private(set) var payments: [Payment] = []
  private var rawLines: [SquareOrderLine] = []
  private var taxes: [SquareOrderTax] = []

  init(_ reader: inout JSONReader) throws {
    try reader.readObject { reader, key in
      switch key {
      case "id": id = try reader.readString()
      case "reference_id": reference = try reader.readOptionalString()
      case "line_items": try reader.readList { rawLines.append(try SquareOrderLine(&$0)) }
      case "taxes": try reader.readList { taxes.append(try SquareOrderTax(&$0)) }
      case "tenders": try reader.readList { payments.append(try Self.payment(&$0)) }
      case "total_money": total = try reader.readSquareMoney()
      case "total_tax_money": totalTax = try reader.readSquareMoney()
      case "total_service_charge_money": serviceCharge = try reader.readSquareMoney()
      default: try reader.skipValue()
      }
    }
  }

  /// Whether prices hold their tax: Square lets each tax of an order be either.
  var pricesIncludeTax: Bool { taxes.contains { $0.isInclusive } }

  var lines: [InvoiceLine] {
    let byID = Dictionary(taxes.map { ($0.uid ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    return rawLines.map { $0.line(taxes: byID, includingTax: pricesIncludeTax) }
  }

  var taxBreakdown: [TaxSubtotal] { taxes.map(\.subtotal) }

  private static func payment(_ reader: inout JSONReader) throws -> Payment {
    var payment = Payment(amount: .zero)
    var tenderID: String?
    var amount: Money?
    var tip: Money?
    try reader.readObject { reader, key in
      switch key {
      case "id": tenderID = try reader.readOptionalString()
      case "payment_id": payment.id = try reader.readOptionalString()
      case "created_at": payment.date = try reader.readOptionalTimestamp()?.utcDay
      case "type": payment.reference = try reader.readOptionalString()
      case "amount_money": amount = try reader.readSquareMoney()
      case "tip_money": tip = try reader.readSquareMoney()
      default: try reader.skipValue()
      }
    }
    payment.id = payment.id ?? tenderID
    // A tip is part of the amount, and pays for nothing on the invoice.
    payment.amount = (amount?.amount ?? .zero).subtracting(tip?.amount ?? .zero) ?? .zero
    return payment
  }
}
