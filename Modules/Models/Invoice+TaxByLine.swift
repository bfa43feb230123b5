extension Invoice {
  /// The tax by the provider's codes, summed up from what the lines state.
  ///
  /// For invoices without a ``taxBreakdown`` of their own: Xero, for one, states code and tax of
  /// each line and no breakdown. The sums are exact, and in the order in which the lines name the
  /// codes. A rate is stated nowhere and is `nil`; the amount that is taxed is without tax, and
  /// `nil` where it is not known whether the lines include it. Empty where a line with an amount
  /// lacks its code or its tax.
  public var taxByLine: [TaxSubtotal] {
    var parts: [TaxSubtotal] = []
    var positions: [String: Int] = [:]
    for line in lines {
      // A line of text alone is taxed by nothing.
      if line.lineAmount == nil, line.taxAmount == nil { continue }
      guard let amount = line.lineAmount, let code = line.taxType, let tax = line.taxAmount
      else { return [] }
      let position = positions[code] ?? parts.count
      if position == parts.count {
        positions[code] = position
        parts.append(
          TaxSubtotal(
            name: code, taxableAmount: linesIncludeTax.map { _ in .zero }, taxAmount: .zero))
      }
      let net = linesIncludeTax == true ? amount.subtracting(tax) : amount
      guard let net, let taxSum = parts[position].taxAmount.adding(tax) else { return [] }
      parts[position].taxAmount = taxSum
      guard let taxable = parts[position].taxableAmount else { continue }
      guard let netSum = taxable.adding(net) else { return [] }
      parts[position].taxableAmount = netSum
    }
    return parts
  }
}
