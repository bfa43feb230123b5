import JSONReading
import Models
import Sync

/// A line item of an order; the meaning of its amounts depends on the order's taxes.
struct SquareOrderLine: Sendable {
  private var line = InvoiceLine()
  private var names: [String] = []
  private var note: String?
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
    line.description = text
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
struct SquareOrderTax: Sendable {
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
