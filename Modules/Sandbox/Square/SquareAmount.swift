import Models

extension JSONWriter {
  /// Writes an amount in Square's form: a whole number of the currency's smallest unit.
  mutating func member(_ name: String, money amount: ExactDecimal?, _ currencyCode: String) {
    let digits = Currency(code: currencyCode)?.minorUnitDigits ?? 2
    key(name)
    object { writer in
      writer.member("amount", Int((amount ?? .zero).minorUnits(digits: digits)))
      writer.member("currency", currencyCode)
    }
  }
}

extension ExactDecimal {
  /// Returns the number of minor units for a number of decimals; finer digits are rounded.
  func minorUnits(digits: Int) -> Int128 {
    let rounded = rounded(toScale: digits)
    return (rounded.scale..<max(digits, rounded.scale)).reduce(rounded.coefficient) { value, _ in
      value * 10
    }
  }
}
