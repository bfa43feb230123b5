import JSONReading
import Models
import Sync

extension JSONReader {
  /// Reads an amount of money, or `null`.
  ///
  /// Square writes it as a whole number of the currency's smallest unit, with the currency. The
  /// number has 64 bits, so that sums always fit.
  mutating func readSquareMoney() throws -> Money? {
    if try readNull() { return nil }
    let offset = position
    var amount: ExactDecimal?
    var currency: Currency?
    try readObject { reader, key in
      switch key {
      case "amount": amount = try reader.readDecimal()
      case "currency": currency = Currency(code: try reader.readString())
      default: try reader.skipValue()
      }
    }
    guard let amount, amount.scale == 0, Int64(exactly: amount.coefficient) != nil, let currency,
      let money = Money(minorUnits: amount.coefficient, currency)
    else {
      throw JSONError(
        reason: .unexpected("expected a whole number of minor units and a currency"),
        offset: offset)
    }
    return money
  }
}
