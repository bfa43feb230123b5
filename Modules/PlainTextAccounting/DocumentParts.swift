import Models

/// The parts that a document states of its total: lines, taxes, allowances and charges.
///
/// Amounts have the sign of the provider.
struct DocumentParts {
  private(set) var parts: [Posting] = []
  /// The part of the total that they leave out; below zero if they are more than the total.
  private(set) var difference: DecimalSum

  private let lines: JournalAccounts.Role
  private let tax: JournalAccounts.Role

  /// - Parameters:
  ///   - invoice: the document.
  ///   - withTexts: true for a part with its text for each line.
  init(of invoice: Invoice, withTexts: Bool) {
    let isSale = invoice.type == .invoice || invoice.type == .creditNote
    (lines, tax) = isSale ? (.income, .salesTax) : (.expense, .purchaseTax)
    difference = DecimalSum(invoice.total)
    addLines(of: invoice, withTexts: withTexts)
    for (name, amount) in Self.taxes(of: invoice) where !amount.isZero {
      add(Posting.Place(role: tax, value: name), DecimalSum(amount))
    }
    addAllowances(of: invoice)
  }

  private mutating func addLines(of invoice: Invoice, withTexts: Bool) {
    let charged = invoice.lines.filter { $0.lineAmount != nil }
    guard invoice.hasChargedLines else {
      let net = invoice.subtotal ?? invoice.totalTax.flatMap { invoice.total.subtracting($0) }
      return add(Posting.Place(role: lines), DecimalSum(net ?? invoice.total))
    }
    let taxSum = DecimalSum(Self.taxes(of: invoice).map(\.amount))
    let sum = DecimalSum(charged.compactMap(\.lineAmount))
    let includesTax =
      invoice.linesIncludeTax
      ?? ((sum - difference).magnitude < (sum + taxSum - difference).magnitude)
    // Tax of the whole is no part of a single line.
    if includesTax, !taxSum.isZero, charged.allSatisfy({ $0.taxAmount == nil }) {
      let codes = Set(charged.map(\.accountCode))
      let code = codes.count == 1 ? charged[0].accountCode : nil
      return add(Posting.Place(role: lines, value: code), sum - taxSum)
    }
    for line in charged {
      var amount = DecimalSum(line.lineAmount ?? .zero)
      if includesTax, let tax = line.taxAmount { amount.add(tax.negated) }
      add(
        Posting.Place(role: lines, value: line.accountCode), amount,
        text: withTexts ? line.description ?? line.itemName ?? "" : nil)
    }
  }

  /// The taxes: as the document states them, else as its lines do, else their sum.
  private static func taxes(of invoice: Invoice) -> [(name: String?, amount: ExactDecimal)] {
    func name(_ name: String?, _ rate: ExactDecimal?) -> String? {
      name ?? rate.map { "\($0.normalized)%" }
    }
    if !invoice.taxBreakdown.isEmpty {
      return invoice.taxBreakdown.map { (name($0.name, $0.rate), $0.taxAmount) }
    }
    let ofLines = invoice.lines.compactMap { line in
      line.taxAmount.map { (name(line.taxType, line.taxRate), $0) }
    }
    guard ofLines.isEmpty, let sum = invoice.totalTax else { return ofLines }
    let names = Set(invoice.lines.map { name($0.taxType, $0.taxRate) })
    return [(names.count == 1 ? names.first ?? nil : nil, sum)]
  }

  /// Adds the allowances and charges of the whole, unless the lines contain them.
  private mutating func addAllowances(of invoice: Invoice) {
    func sum(_ isCharge: Bool, stated: ExactDecimal?) -> DecimalSum {
      let listed = invoice.allowancesAndCharges.filter { $0.isCharge == isCharge }.map(\.amount)
      return DecimalSum(listed.isEmpty ? [stated ?? .zero] : listed)
    }
    let charges = sum(true, stated: invoice.chargeTotal)
    let allowances = sum(false, stated: invoice.allowanceTotal).negated
    guard (difference - charges - allowances).magnitude < difference.magnitude else { return }
    for (name, amount) in [("charges", charges), ("allowances", allowances)] where !amount.isZero {
      add(Posting.Place(role: lines, value: name), amount)
    }
  }

  private mutating func add(_ place: Posting.Place, _ amount: DecimalSum, text: String? = nil) {
    difference = difference - amount
    parts.add(place, amount, text: text)
  }
}

extension Invoice {
  /// True if a line has an amount, so that the lines say what the document is about.
  var hasChargedLines: Bool { lines.contains { $0.lineAmount != nil } }
}

extension [Posting] {
  /// Adds an amount to the posting of a place, or a new posting if it has a text.
  mutating func add(_ place: Posting.Place, _ amount: DecimalSum, text: String? = nil) {
    if text == nil, let index = firstIndex(where: { $0.place == place && $0.text == nil }) {
      self[index].amount.add(amount)
    } else {
      append(Posting(place: place, amount: amount, text: text))
    }
  }
}
