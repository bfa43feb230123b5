import JSONReading
import Models
import Sync

/// The part of an invoice that its order holds: lines, taxes and payments.
struct SquareOrder: Sendable {
  private(set) var id: String?
  private var reference: String?
  private var totalTax: Money?
  private var serviceCharge: Money?
  private var serviceCharges: [AllowanceCharge] = []
  private var payments: [Payment] = []
  private var lines: [SquareOrderLine] = []
  private var taxes: [SquareOrderTax] = []

  init(_ reader: inout JSONReader) throws {
    try reader.readObject { reader, key in
      switch key {
      case "id": id = try reader.readOptionalIdentifier()
      case "reference_id": reference = try reader.readOptionalString()
      case "line_items": try reader.readList { lines.append(try SquareOrderLine(&$0)) }
      case "taxes": try reader.readList { taxes.append(try SquareOrderTax(&$0)) }
      case "tenders": try reader.readList { payments.append(try Self.payment(&$0)) }
      case "total_tax_money": totalTax = try reader.readSquareMoney()
      case "service_charges":
        try reader.readList { reader in
          if let charge = try SquareParts.serviceCharge(&reader) { serviceCharges.append(charge) }
        }
      case "total_service_charge_money": serviceCharge = try reader.readSquareMoney()
      default: try reader.skipValue()
      }
    }
  }

  /// Returns the invoice with the data of the order.
  ///
  /// The total remains the invoice's own, because the order's total may include a tip.
  func completing(_ invoice: Invoice) -> Invoice {
    var invoice = invoice
    let byUID = Dictionary(
      taxes.map { ($0.uid ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    // In Square, each tax of an order is either included in the prices or added to them.
    let includesTax = taxes.contains(where: \.isInclusive)
    invoice.linesIncludeTax = includesTax
    invoice.lines = lines.map { $0.line(taxes: byUID, includingTax: includesTax) }
    invoice.taxBreakdown = taxes.map(\.subtotal)
    invoice.totalTax = totalTax?.amount
    invoice.subtotal = totalTax.flatMap { invoice.total.subtracting($0.amount) }
    invoice.chargeTotal = serviceCharge?.amount
    // The line amounts already include the discounts of the order.
    invoice.allowancesAndCharges = serviceCharges
    invoice.payments = payments
    invoice.reference = reference
    return invoice
  }

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
    return payment
  }
}
