import JSONReading
import Models
import Sync

/// One element of `total_tax_amounts`, with its rate expanded.
struct StripeTax {
  private(set) var isInclusive = false
  private var tax = TaxSubtotal(taxAmount: .zero)

  init(_ reader: inout JSONReader) throws {
    try reader.readObject { reader, key in
      switch key {
      case "amount": tax.taxAmount = try reader.readDecimal()
      case "taxable_amount": tax.taxableAmount = try reader.readOptionalDecimal()
      case "inclusive": isInclusive = try !reader.readNull() && reader.readBool()
      case "tax_rate": try readRate(&reader)
      default: try reader.skipValue()
      }
    }
  }

  func subtotal(_ money: StripeMoney, at offset: Int) throws -> TaxSubtotal {
    var tax = tax
    tax.taxAmount = try money.amount(tax.taxAmount, at: offset)
    tax.taxableAmount = try money.amount(tax.taxableAmount, at: offset)
    return tax
  }

  private mutating func readRate(_ reader: inout JSONReader) throws {
    if try reader.readNull() { return }
    if reader.isAtString {
      tax.name = try reader.readString()
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
