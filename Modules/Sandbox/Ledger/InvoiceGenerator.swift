import Models

/// Generates realistic invoices; the same seed always gives the same ones.
struct InvoiceGenerator: Sendable {
  private let seed: UInt64
  private let contacts: [LedgerContact]
  private var index = 0

  init(seed: UInt64) {
    self.seed = seed
    contacts = ContactGenerator.contacts(seed: seed)
  }

  /// Returns the next invoice of the series.
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
      updatedAt: updatedAt)
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
    invoice.amountPaid = trade.amount(paid)
    invoice.amountCredited = trade.amount(credited)
    invoice.amountDue = trade.amount(due)
  }
}
