import Models

/// The currency of a generated invoice, how its tax is stated, and the arithmetic of its lines.
struct InvoiceAmounts {
  /// Lines and their sums; sums in minor units, such as cents.
  struct Sum {
    var lines: [LedgerLine]
    var subTotal: Int
    var totalTax: Int
    var total: Int { subTotal + totalTax }
  }

  let currencyCode: String
  /// The decimals of an amount in the currency.
  let digits: Int
  let currencyRate: ExactDecimal
  let lineAmountTypes: String

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
    lineAmountTypes =
      ["Exclusive", "Exclusive", "Exclusive", "Inclusive", "NoTax"][random.below(5)]
  }

  /// Writes minor units with the decimals of the currency.
  func amount(_ minorUnits: Int) -> ExactDecimal {
    Self.decimal(minorUnits, scale: digits)
  }

  /// Makes up lines and adds them up as `lineAmountTypes` says.
  func sum(_ count: Int, using random: inout SplitMix64) -> Sum {
    var sum = Sum(lines: [], subTotal: 0, totalTax: 0)
    for position in 0..<count {
      let (line, amount, tax) = line(position, using: &random)
      sum.lines.append(line)
      sum.totalTax += tax
      sum.subTotal += lineAmountTypes == "Inclusive" ? amount - tax : amount
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
    // Prices of single units may be finer than the currency's smallest coin.
    let priceScale = random.chance(20) ? 4 : digits
    let price = price(scale: priceScale, position: position, using: &random)
    let amount = Self.rounded(
      quantity * price, from: quantityScale + priceScale, to: digits)
    let percent = lineAmountTypes == "NoTax" ? 0 : [0, 5, 10, 20][random.below(4)]
    let tax =
      lineAmountTypes == "Inclusive"
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

  /// A price in units of 10^-scale; now and then a gift, a discount or something taken back.
  private func price(scale: Int, position: Int, using random: inout SplitMix64) -> Int {
    var unit = 1
    for _ in 0..<scale { unit *= 10 }
    if random.chance(2) { return 0 }
    // A yen or a dinar's thousandth buys little or much; the shape matters, not the value.
    let price = (random.below(400) + 1) * unit + random.below(unit)
    return random.chance(position == 0 ? 1 : 8) ? -price : price
  }

  private static func decimal(_ value: Int, scale: Int) -> ExactDecimal {
    ExactDecimal(coefficient: Int128(value), scale: scale) ?? .zero
  }

  /// Brings a value from one number of decimals to another, rounding half away from zero.
  private static func rounded(_ value: Int, from scale: Int, to digits: Int) -> Int {
    var factor = 1
    for _ in 0..<abs(scale - digits) { factor *= 10 }
    return scale < digits ? value * factor : quotient(value, factor)
  }

  /// Divides, rounding half away from zero.
  private static func quotient(_ dividend: Int, _ divisor: Int) -> Int {
    let (magnitude, half) = (abs(dividend), divisor / 2)
    // For an odd divisor there is no exact half, and the truncated one rounds as it should.
    let result = (magnitude + half) / divisor
    return dividend < 0 ? -result : result
  }
}
