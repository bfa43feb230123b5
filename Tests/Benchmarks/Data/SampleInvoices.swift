import SyncSupport

/// Invoices as people have them: random identifiers, real words, texts of some 230 letters a line,
/// names with accents, days over three years, seven currencies; in the order of their change.
///
/// The same seed makes the same invoices, each by itself.
struct SampleInvoices: Sendable {
  /// The number of invoices and the two sums by which a peer's database is checked.
  struct Totals: Equatable, Sendable {
    var invoices = 0
    var lines = 0
    /// In hundredths.
    var total = 0
    /// In hundredths.
    var lineAmount = 0
  }

  let count: Int
  private let seed: UInt64 = 2_026
  private let vocabulary: Vocabulary
  let contacts: [SampleContact]
  private static let currencies = ["EUR", "USD", "GBP", "CHF", "SEK", "PLN", "NZD"]
  /// 1 March 2023.
  private static let firstDay = 19_417

  init(count: Int) throws {
    self.count = count
    vocabulary = try Vocabulary(
      dictionary: "/usr/share/dict/american-english", count: 8_000, seed: seed)
    var random = SeededRandom(seed: seed, part: 1)
    contacts = (0..<2_000).map { _ in SampleNames.contact(&random) }
  }

  subscript(index: Int) -> SampleInvoice {
    var random = SeededRandom(seed: seed, part: UInt64(index) + 2)
    let issued = Self.firstDay + random.below(3 * 365)
    let lines = (0..<3).map { _ in
      let quantity = 1 + random.below(random.chance(20) ? 240 : 12)
      let price = 99 + random.below(random.chance(10) ? 250_000 : 20_000)
      return SampleInvoice.Line(
        id: SampleNames.identifier(&random),
        description: vocabulary.text(atLeast: 170 + random.below(120), &random),
        quantity: quantity, unitAmount: price, taxAmount: quantity * price / 5,
        accountCode: String(200 + random.below(60)))
    }
    return SampleInvoice(
      id: SampleNames.identifier(&random),
      number: "INV-\(2_023 + index * 3 / max(count, 1))-\(100_000 + index)",
      isBill: random.chance(15),
      status: random.chance(80) ? "PAID" : random.chance(75) ? "AUTHORISED" : "VOIDED",
      // A few buy most.
      contact: contacts[random.below(random.below(contacts.count) + 1)],
      currency: Self.currencies[random.below(random.below(7) + 1)],
      issueDay: issued, dueDay: issued + 14 + random.below(47),
      updatedAt: Self.firstDay * 86_400 + index * 900 + random.below(900),
      reference: "PO \(10_000 + random.below(90_000)) \(vocabulary.word(&random))",
      lines: lines)
  }

  /// Adds up what every peer has to have stored.
  func totals() -> Totals {
    var totals = Totals()
    for index in 0..<count {
      let invoice = self[index]
      totals.invoices += 1
      totals.lines += invoice.lines.count
      totals.total += invoice.total
      totals.lineAmount += invoice.subtotal
    }
    return totals
  }
}
