import Models

/// Generates realistic invoices; the same seed always gives the same ones.
struct InvoiceGenerator: Sendable {
  private let seed: UInt64
  private let contacts: [LedgerContact]
  private let isVaried: Bool
  private var index = 0

  /// - Parameter isVaried: ``SandboxConfiguration/variesSettlements``.
  init(seed: UInt64, isVaried: Bool = false) {
    self.seed = seed
    self.isVaried = isVaried
    contacts = ContactGenerator.contacts(seed: seed)
  }

  mutating func next(updatedAt: Timestamp) -> LedgerInvoice {
    defer { index += 1 }
    var random = SplitMix64(seed: seed, index: index)
    let isSale = random.chance(60)
    let id = random.identifier()
    let number = isSale ? "INV-\(100_000 + index)" : "B\(random.below(900_000) + 100_000)-\(index)"
    let trade = InvoiceAmounts(using: &random)
    let sum = trade.sum(random.below(4) + 1, using: &random)
    let issued = (updatedAt.utcDay?.daysSinceEpoch ?? 0) - random.below(45)
    var invoice = LedgerInvoice(
      kind: isSale ? .sale : .bill,
      id: id,
      // Some bills have no number of their own, and only sales carry a reference.
      number: !isSale && random.chance(4) ? nil : number,
      reference: isSale ? (random.chance(50) ? "PO-\(random.below(100_000))" : "") : nil,
      contact: contacts[random.below(contacts.count)],
      date: CalendarDate(daysSinceEpoch: issued),
      dueDate: CalendarDate(daysSinceEpoch: issued + [0, 14, 30, 60][random.below(4)]),
      status: .draft,
      taxBasis: trade.taxBasis,
      lines: sum.lines,
      subTotal: trade.amount(sum.subTotal),
      totalTax: trade.amount(sum.totalTax),
      total: trade.amount(sum.total),
      amountDue: trade.amount(sum.total),
      amountPaid: trade.amount(0),
      amountCredited: trade.amount(0),
      currencyCode: trade.currencyCode,
      currencyRate: trade.currencyRate,
      isDiscounted: false,
      hasAttachments: random.chance(20),
      hasErrors: false,
      sentToContact: isSale ? random.chance(70) : nil,
      updatedAt: updatedAt,
      isVaried: isVaried)
    settle(&invoice, trade, total: sum.total, using: &random)
    return invoice
  }

  /// Returns the first `count` invoices, with changes spread over the years 2020 through 2024.
  ///
  /// About one in sixteen has the same instant as the previous one.
  mutating func invoices(count: Int) -> [LedgerInvoice] {
    let start = 1_577_836_800_000
    let step = max(1, 5 * 365 * 86_400_000 / max(1, count))
    var random = SplitMix64(seed: ~seed)
    var milliseconds = start
    return (0..<max(0, count)).map { _ in
      if !random.chance(6) { milliseconds += 1 + random.below(2 * step) }
      return next(updatedAt: Timestamp(microsecondsSinceEpoch: Int64(milliseconds) * 1_000))
    }
  }

  /// Chooses a status and the paid and credited amounts, so that due + paid + credited = total.
  private func settle(
    _ invoice: inout LedgerInvoice, _ trade: InvoiceAmounts, total: Int,
    using random: inout SplitMix64
  ) {
    var (paid, credited, due) = (0, 0, total)
    switch random.below(100) {
    case ..<58:
      invoice.status = .paid
      if random.chance(5) { credited = total / 4 }
      (paid, due) = (total - credited, 0)
      invoice.fullyPaidOn = invoice.date.flatMap {
        CalendarDate(daysSinceEpoch: $0.daysSinceEpoch + random.below(60))
      }
    case ..<80:
      invoice.status = .open
      if random.chance(25) { paid = total / 3 }
      due = total - paid
    case ..<87: invoice.status = .draft
    case ..<91: invoice.status = .scheduled
    case ..<97: (invoice.status, due) = (.void, 0)
    default: (invoice.status, due) = (.deleted, 0)
    }
    if isVaried, [.open, .paid].contains(invoice.status), credited == 0, total > 100,
      random.chance(60)
    {
      credited = total / 5
      if invoice.status == .paid { paid -= credited } else { due -= credited }
    }
    invoice.amountPaid = trade.amount(paid)
    invoice.amountCredited = trade.amount(credited)
    invoice.amountDue = trade.amount(due)
  }
}

/// The currency and the tax treatment of a generated invoice, and the arithmetic of its lines.
private struct InvoiceAmounts {
  /// The lines and their sums, in minor units such as cents.
  struct Sum {
    var lines: [LedgerLine]
    var subTotal: Int
    var totalTax: Int
    var total: Int { subTotal + totalTax }
  }

  let currencyCode: String
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

  func amount(_ minorUnits: Int) -> ExactDecimal {
    Self.decimal(minorUnits, scale: digits)
  }

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
      quantity: Self.decimal(quantity, scale: quantityScale),
      region: product.code == "TRAIN" ? "North" : nil)
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

private enum ContactGenerator {
  static func contacts(seed: UInt64) -> [LedgerContact] {
    var random = SplitMix64(seed: seed ^ 0x636F_6E74_6163_7473)
    return TradeCatalog.companies.flatMap { company in
      TradeCatalog.trades.map { trade in
        let mailbox = "accounts@\(trade.lowercased())\(random.below(1_000)).example"
        return LedgerContact(
          id: random.identifier(),
          name: "\(company) \(trade)",
          // Some parties have a name only.
          emailAddress: random.chance(75) ? mailbox : nil)
      }
    }
  }
}

private enum TradeCatalog {
  /// Currencies with their rate to the tenant's own, in millionths; common ones occur more often.
  static let currencies: [(code: String, rate: Int)] = [
    ("USD", 1_000_000), ("USD", 1_000_000), ("USD", 1_000_000), ("USD", 1_000_000),
    ("EUR", 915_000), ("EUR", 915_000), ("GBP", 785_000), ("CAD", 1_350_000),
    ("JPY", 148_200_000), ("TND", 3_110_000),
  ]

  static let products: [(code: String, text: String, account: String)] = [
    ("DEV", "Software development, senior", "200"),
    ("CONS", "Consulting, per hour", "200"),
    ("HOST", "Hosting of application and database", "485"),
    ("SUP", "Support plan \"Gold\", monthly", "220"),
    ("TRAIN", "Workshop: data engineering", "230"),
    ("PAPER", "Paper, A4, 80 g/m²", "461"),
    ("TRAVEL", "Train Zürich–Genève", "493"),
    ("CLOUD", "Object storage, per GB", "485"),
  ]

  static let companies = [
    "Aldergate", "Bräuhof", "Cormorant", "Delft & Daughters", "Elmswood", "Fjordlys", "Garnet Hill",
    "Hibiscus", "Ironbark", "Juniper Row",
  ]

  static let trades = [
    "Logistics", "Textiles", "Analytics", "Bakery", "Printing", "Legal", "Energy",
  ]
}
