import Models

/// The currency and the tax treatment of a generated invoice, and the arithmetic of its lines.
struct InvoiceAmounts {
  /// The lines and their sums, in minor units such as cents.
  struct Sum {
    var lines: [LedgerLine]
    var subTotal: Int
    var totalTax: Int
    var total: Int { subTotal + totalTax }
  }

  let currencyCode: String
  /// The number of decimals of an amount in the currency.
  let digits: Int
  let currencyRate: ExactDecimal
  let taxBasis: LedgerInvoice.TaxBasis

  init(using random: inout SplitMix64) {
    let (code, rate) = TradeCatalog.currencies[random.below(TradeCatalog.currencies.count)]
    currencyCode = code
    digits = Currency(code: code)?.minorUnitDigits ?? 2
    // A rate moves by up to two percent.
    let drift = 980_000 + random.below(40_000)
    currencyRate =
      rate == 1_000_000
      ? ExactDecimal(1)
      : Self.decimal(rate * drift / 1_000_000, scale: 6)
    taxBasis = [.exclusive, .exclusive, .exclusive, .inclusive, .noTax][random.below(5)]
  }

  /// Converts minor units into an amount with the currency's decimals.
  func amount(_ minorUnits: Int) -> ExactDecimal {
    Self.decimal(minorUnits, scale: digits)
  }

  /// Generates lines and adds them up as ``taxBasis`` requires.
  func sum(_ count: Int, using random: inout SplitMix64) -> Sum {
    var sum = Sum(lines: [], subTotal: 0, totalTax: 0)
    for position in 0..<count {
      let (line, amount, tax) = line(position, using: &random)
      sum.lines.append(line)
      sum.totalTax += tax
      sum.subTotal += taxBasis == .inclusive ? amount - tax : amount
    }
    return sum
  }

  private func line(
    _ position: Int, using random: inout SplitMix64
  ) -> (line: LedgerLine, amount: Int, tax: Int) {
    let product = TradeCatalog.products[random.below(TradeCatalog.products.count)]
    // Mostly whole numbers, sometimes hours and fractions, in hundredths.
    let isWhole = random.chance(70)
    let quantity = isWhole ? random.below(12) + 1 : random.below(4_000) + 5
    let quantityScale = isWhole ? 0 : 2
    // Unit prices may have more decimals than the currency.
    let priceScale = random.chance(20) ? 4 : digits
    let price = price(scale: priceScale, position: position, using: &random)
    let amount = Self.rounded(
      quantity * price, from: quantityScale + priceScale, to: digits)
    let percent = taxBasis == .noTax ? 0 : [0, 5, 10, 20][random.below(4)]
    let tax =
      taxBasis == .inclusive
      ? Self.quotient(amount * percent, 100 + percent) : Self.quotient(amount * percent, 100)
    let line = LedgerLine(
      id: random.identifier(),
      itemCode: random.chance(40) ? product.code : nil,
      description: product.text,
      unitAmount: Self.decimal(price, scale: priceScale),
      taxType: percent == 0 ? "NONE" : "OUTPUT\(percent)",
      taxAmount: self.amount(tax),
      lineAmount: self.amount(amount),
      accountCode: product.account,
      quantity: Self.decimal(quantity, scale: quantityScale))
    return (line, amount, tax)
  }

  /// Returns a price in units of 10^-scale; sometimes it is zero or negative, for a gift or a
  /// discount.
  private func price(scale: Int, position: Int, using random: inout SplitMix64) -> Int {
    var unit = 1
    for _ in 0..<scale { unit *= 10 }
    if random.chance(2) { return 0 }
    // The value of the currency is ignored, because only the form of the amounts matters.
    let price = (random.below(400) + 1) * unit + random.below(unit)
    return random.chance(position == 0 ? 1 : 8) ? -price : price
  }

  private static func decimal(_ value: Int, scale: Int) -> ExactDecimal {
    ExactDecimal(coefficient: Int128(value), scale: scale) ?? .zero
  }

  /// Converts a value to another number of decimals, rounding half away from zero.
  private static func rounded(_ value: Int, from scale: Int, to digits: Int) -> Int {
    var factor = 1
    for _ in 0..<abs(scale - digits) { factor *= 10 }
    return scale < digits ? value * factor : quotient(value, factor)
  }

  /// Divides, rounding half away from zero.
  private static func quotient(_ dividend: Int, _ divisor: Int) -> Int {
    let (magnitude, half) = (abs(dividend), divisor / 2)
    // An odd divisor has no exact half, so the truncated half rounds correctly.
    let result = (magnitude + half) / divisor
    return dividend < 0 ? -result : result
  }
}
