import JSONReading
import Models
import Sync

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
