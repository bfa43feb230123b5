import JSONReading
import Models
import Sync

extension JSONReader {
  /// Reads an amount of money, which a record can lack.
  ///
  /// By the schema, an amount may lack its currency; such an amount counts as absent.
  mutating func readSquareMoney() throws -> Money? { try readOptional { try $0.readMoney() } }

  /// Reads an amount of money that the record cannot do without.
  mutating func readMoney() throws -> Money {
    let offset = position
    guard let money = try SquareAmount(&self)?.money(in: nil) else {
      throw JSONError(reason: .unexpected(SquareAmount.expected), offset: offset)
    }
    return money
  }
}

/// An amount of money as Square writes it, which may lack its currency.
///
/// The amount is a whole number of the currency's smallest unit. It has 64 bits, so that sums
/// always fit.
struct SquareAmount: Sendable {
  fileprivate static let expected = "expected a whole number of minor units and a currency"

  let currency: Currency?
  private let units: ExactDecimal

  /// Reads an amount; returns `nil` if there is none.
  init?(_ reader: inout JSONReader) throws {
    if try reader.readNull() { return nil }
    let offset = reader.position
    var units: ExactDecimal?
    var currency: Currency?
    try reader.readObject { reader, key in
      switch key {
      case "amount": units = try reader.readNull() ? nil : reader.readDecimalText()
      case "currency": currency = try reader.readOptionalString().flatMap(Currency.init(code:))
      default: try reader.skipValue()
      }
    }
    guard let units else { return nil }
    guard units.scale == 0, Int64(exactly: units.coefficient) != nil else {
      throw JSONError(reason: .unexpected(Self.expected), offset: offset)
    }
    (self.units, self.currency) = (units, currency)
  }

  /// Returns the amount in its own currency, or else in the given one; `nil` without any.
  func money(in other: Currency?) -> Money? {
    (currency ?? other).flatMap { Money(minorUnits: units.coefficient, $0) }
  }
}
